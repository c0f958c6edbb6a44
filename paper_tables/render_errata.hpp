#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paper_tables/errata.hpp"

namespace macrobench {

/// For a terminal that is so many columns wide.
std::string render_errata_text(const Errata& errata, std::size_t width);
/// A page of GitHub's Markdown.
std::string render_errata_markdown(const Errata& errata);
/// Schema 1: checked, cells, slight, by_reading.
std::string render_errata_json(const Errata& errata);
/// One finding a line, under a header; `kind` says whether it is of a cell, slight or by reading.
std::string render_errata_csv(const Errata& errata);

/// "json", "csv", "md".
const std::vector<std::string>& errata_formats();
/// Throws UsageError for a format that is none of them.
std::string render_errata(const Errata& errata, std::string_view format);

}  // namespace macrobench
