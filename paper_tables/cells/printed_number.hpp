#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/numbers/cell.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// How many of the other unit one of this is, "min" and "s" -> 60; none if they do not measure the
/// same.
std::optional<double> factor_between(std::string_view unit, std::string_view other);

/// In the unit, whatever unit is printed: "1,114.95" -> 1114.95, "143.363 ms" -> 0.143363; none for
/// words and for what another unit measures.
std::optional<double> printed_number(const std::string& printed, std::string_view unit = "s");

/// All numbers that are printed so: half a unit of the last digit to either side, "0.54" -> .535 to
/// .545. None for words.
std::optional<ConfidenceInterval> rounding_of(const std::string& printed,
                                              std::string_view unit = "s");

/// The row's printed number in the column, as the same problem that `here` is of: a paper's program
/// and ours solve one. Without a value if it prints no number. A number that the paper extrapolated
/// has a mark.
Cell printed_cell(const RowDefinition& row, std::size_t column, const Cell& here);

}  // namespace macrobench
