#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

/// As JSON, schema 1: the sides, every table's cells with both times, ratio and interval, and the
/// means.
nlohmann::ordered_json to_json(const Comparison& comparison);

/// For a terminal: the means a table, and the cells of each if `cells`.
std::string render_text(const Comparison& comparison, bool cells);
/// The same in GitHub's Markdown, always with the cells.
std::string render_markdown(const Comparison& comparison);

}  // namespace macrobench
