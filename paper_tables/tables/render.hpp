#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/files/output_folder.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/table.hpp"

namespace macrobench {

/// "cells", a row for each; "numbers", which has the CellCounts of each table; and "needs", cells
/// that no table prints.
std::vector<Sheet> sheets_of(const std::vector<Table>& tables);
Document document_of(const Table& table);
/// To be \input: the grid numbered by LaTeX, and its caption with all that stands above it
/// elsewhere.
Document latex_document_of(const Table& table);

/// The formats of a table, by their file extension: "json", "csv", "md", "tex".
const std::vector<std::string>& table_formats();
/// In one of these, or as "text" for the terminal. Throws UsageError for any other format.
std::string render(const Table& table, std::string_view format);

/// Writes FOLDER/<paper>/<table>.<format> in every format, each by a rename, so that no reader sees
/// half of one. Throws Failure.
void write_table(const Table& table, const OutputFolder& folder);

}  // namespace macrobench
