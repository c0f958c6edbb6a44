#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/numbers/cell.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// "1,114.95" -> 1114.95; a time in seconds whatever its unit, "143.363 ms" -> 0.143363; none for
/// words.
std::optional<double> printed_number(const std::string& printed);

/// All numbers that are printed so: half a unit of the last digit to either side, "0.54" -> .535 to
/// .545. None for words.
std::optional<ConfidenceInterval> rounding_of(const std::string& printed);

/// The row's printed number in the column, as the same problem that `here` is of: a paper's program
/// and ours solve one. Without a value if it prints no number. A number that the paper extrapolated
/// has a mark.
Cell printed_cell(const RowDefinition& row, std::size_t column, const Cell& here);

}  // namespace macrobench
