#pragma once

#include <vector>

#include "paper_tables/cells/definition.hpp"
#include "paper_tables/cells/place.hpp"

namespace macrobench {

/// How Definitions::get() reads a file: everything except the rows that it refers to. Adds the
/// place of each row, in the order of rows_of(). Throws UsageError.
Definition read_definition(const Place& top, std::vector<Place>& rows);

}  // namespace macrobench
