#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"

namespace macrobench {

/// One number of a table and where it comes from, or why there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the row's unit, of a right result; see is_doubted()
  std::string text = {};             ///< the words in place of a number
  Status status = Status::not_run;
  Reason why = {};                    ///< empty if measured, or computed from the cell's own case
  std::optional<int> samples = {};    ///< how many the value is the median of
  std::optional<double> spread = {};  ///< their relative spread
  /// Where the value may be, by its samples or its law; none if it is known exactly.
  std::optional<ConfidenceInterval> interval = {};
  /// Of an extrapolated one: how many times as large it is as the largest case that was measured.
  std::optional<double> reach = {};
};

/// Of a cell with a value.
inline ConfidenceInterval interval_of(const Cell& cell) {
  return cell.interval.value_or(ConfidenceInterval{cell.value.value(), cell.value.value()});
}

/// Of the larger one where both are extrapolated.
inline std::optional<double> larger_reach(const Cell& a, const Cell& b) {
  return std::max(a.reach, b.reach);  // none is below any number
}

}  // namespace macrobench
