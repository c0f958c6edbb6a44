#pragma once

#include <optional>
#include <string>

#include "harness/records/record.hpp"

namespace macrobench {

/// One number of a table and where it comes from, or why there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the row's unit; only ever beside a valid outcome
  std::string text = {};             ///< the words in place of a number
  Status status = Status::not_run;
  Reason why = {};                    ///< empty if measured, or computed from the cell's own case
  std::optional<int> samples = {};    ///< how many the value is the median of
  std::optional<double> spread = {};  ///< their relative spread
};

}  // namespace macrobench
