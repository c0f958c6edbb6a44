#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paper_tables/errata/errata.hpp"

namespace macrobench {

/// How many numbers were recomputed, and what came of them.
std::string summary_of(const Errata& errata);
/// "Total @ 100(4)"; without a column what it is.
std::string cell_of(const Erratum& erratum);
/// By how much, "+39.4%"; a dash where it is no number.
std::string off_of(const Erratum& erratum);
std::string sentence_of(const Slight& slight);
/// The papers that have findings, sorted.
std::vector<std::string> papers_in(const Errata& errata);

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
