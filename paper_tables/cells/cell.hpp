#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "paper_tables/cells/drift.hpp"

namespace macrobench {

/// One number of a table and where it comes from, or why there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the row's unit, of a right result; see is_doubted()
  std::string text = {};             ///< the words in place of a number
  Status status = Status::not_run;
  Reason why = {};                    ///< empty if measured, or computed from the cell's own case
  std::optional<int> samples = {};    ///< how many the value is the median of
  std::optional<double> spread = {};  ///< their relative spread
  std::string samples_of = {};        ///< of what they are: "warm solutions", "processes"
  bool is_cold = false;               ///< of a solution none of which was warm
  Origins origins = {};               ///< of a time, or of what is computed from times
  std::string drift = {};             ///< what these do not share, in a table's row
  std::string as_before = {};         ///< what its case has instead of a default; see Finding
  /// Where the value may be, by its samples or its law; none if it is known exactly.
  std::optional<ConfidenceInterval> interval = {};
  /// Of an extrapolated one: how many times as large it is as the largest case that was measured.
  std::optional<double> reach = {};
};

/// True if the cell's case itself gave its number, and no other cell.
inline bool is_its_own(const Cell& cell) {
  return cell.value &&
         (cell.status == Status::measured || (cell.status == Status::computed && cell.why.empty()));
}

/// Of a cell with a value.
inline ConfidenceInterval interval_of(const Cell& cell) {
  const double value = cell.value.value_or(std::numeric_limits<double>::quiet_NaN());
  return cell.interval.value_or(ConfidenceInterval{value, value});
}

/// Of the larger one where both are extrapolated.
inline std::optional<double> larger_reach(const Cell& a, const Cell& b) {
  return std::max(a.reach, b.reach);  // none is below any number
}

/// A law is trusted with a ratio, or as a claim's evidence, up to so many times the largest case
/// measured.
inline constexpr double longest_reach = 8;

/// True if the cell rests on a law so far beyond what was measured that no ratio with it is shown,
/// but only its two numbers.
inline bool reaches_too_far(const Cell& cell) {
  return cell.value && cell.reach.value_or(0) > longest_reach;
}

/// A ratio with this cell in it, of which at most two digits are shown if it is extrapolated; none
/// if it reaches too far.
std::optional<std::string> text_of_ratio(double ratio, const Cell& with);

}  // namespace macrobench
