#pragma once

#include <optional>
#include <string>

#include "harness/records/record.hpp"

namespace macrobench {

/// One number of a table, how it came about, and why there is none where there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the row's unit; only ever beside a valid outcome
  std::string text = {};             ///< the words that stand where a number would
  Status status = Status::not_run;
  Reason why = {};                    ///< empty where measured, or computed of the cell's own case
  std::optional<int> samples = {};    ///< how many the value is the median of
  std::optional<double> spread = {};  ///< their relative spread
};

}  // namespace macrobench
