#pragma once

#include <vector>

#include "paper_tables/definitions/definition.hpp"
#include "paper_tables/definitions/place.hpp"

namespace macrobench {

// How Definitions::get() reads a file.

/// Reads everything except the rows that it refers to, and adds the place of each row, in the order
/// of rows_of(). Throws UsageError.
Definition read_definition(const Place& top, std::vector<Place>& rows);

/// Checks every row that a row of the definition refers to, here and in other tables. Throws
/// UsageError.
void check_references(const Definition& definition, const std::vector<Place>& rows, Tables& all);

/// A row or another replacement, or a list of these.
std::vector<Place> one_or_several(const Place& place);

}  // namespace macrobench
