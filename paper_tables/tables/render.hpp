#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paper_tables/tables/table.hpp"

namespace macrobench {

/// JSON of which what fits on a line stands on one: a cell, a row of published numbers.
std::string laid_out(const nlohmann::ordered_json& json, std::size_t indent);

/// The table as JSON, schema 1: paper, table, caption, machine, columns, and groups or rows.
nlohmann::ordered_json to_json(const Table& table);

std::string render_json(const Table& table);
/// One cell a line, under a header.
std::string render_csv(const Table& table);
/// GitHub's Markdown, aligned in its source too.
std::string render_markdown(const Table& table);
/// A fragment to \input; its first lines say which packages it needs.
std::string render_latex(const Table& table);
/// For a terminal that is so many columns wide.
std::string render_text(const Table& table, std::size_t width);

/// The formats a table is written in, by their file's extension: "json", "csv", "md", "tex".
const std::vector<std::string>& table_formats();
/// Throws UsageError for a format that is none of them.
std::string render(const Table& table, std::string_view format);

/// Writes FOLDER/<paper>/<table>.<format> in every format, each by a rename, so that no reader sees
/// half of one. Throws Failure.
void write_table(const Table& table, const std::filesystem::path& folder);

}  // namespace macrobench
