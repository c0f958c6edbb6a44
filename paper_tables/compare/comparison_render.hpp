#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/text/document.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

/// As JSON, schema 1: the sides, every table's cells with both times, ratio and interval, and the
/// means.
nlohmann::ordered_json to_json(const Comparison& comparison);

/// One row per cell and side.
std::string to_csv(const Comparison& comparison);
/// The summary has the sides and the means of each table; the body, if asked for, the cells.
Document document_of(const Comparison& comparison, bool has_cells);

}  // namespace macrobench
