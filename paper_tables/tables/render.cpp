#include "paper_tables/tables/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "harness/system/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

Words words_of(const Sheet& sheet, const Entry& entry) {
  if (entry.mark == Entry::unmarked) return entry.text;
  return entry.text + mark(sheet.marks[static_cast<std::size_t>(entry.mark)].symbol);
}

Grid grid_of(const Sheet& sheet) {
  using enum Column::Kind;
  Grid grid{.columns = {{sheet.axis, words}, {"", words}}, .groups = {}, .in_panels = true};
  for (const std::string& column : sheet.columns) grid.columns.push_back({column});
  for (const SheetBlock& block : sheet.blocks) {
    RowGroup& group =
        grid.groups.emplace_back(RowGroup{.label = block.label, .apart = block.extra, .rows = {}});
    for (const std::vector<SheetLine>& lines : block.rows) {
      for (const SheetLine& line : lines) {
        Row& row = group.rows.emplace_back(Row{.cells = {line.label, line.kind},
                                               .kind = line.kind,
                                               .continues = &line != &lines.front()});
        for (const Entry& entry : line.entries) row.cells.push_back(words_of(sheet, entry));
      }
    }
  }
  return grid;
}

/// The marks and the remarks.
std::vector<Block> notes_of(const Sheet& sheet) {
  List marks{.items = {}, .style = List::Style::notes};
  for (const Mark& one : sheet.marks)
    marks.items.push_back({mark(one.symbol) + " " + one.text + "."});
  List remarks;
  for (const std::string& remark : sheet.remarks) remarks.items.push_back({remark});
  std::vector<Block> blocks;
  for (List* list : {&marks, &remarks}) {
    if (!list->items.empty()) blocks.emplace_back(std::move(*list));
  }
  return blocks;
}

}  // namespace

Document document_of(const Sheet& sheet) {
  Document document{.title = sheet.title + ": " + sheet.caption,
                    .body = {Paragraph{sheet.source + "."}}};
  if (!sheet.published_on.empty()) {
    document.body.emplace_back(
        List{{{"Published on: " + sheet.published_on}, {"Measured on: " + sheet.measured_on}}});
  }
  document.body.emplace_back(grid_of(sheet));
  std::ranges::move(notes_of(sheet), std::back_inserter(document.body));
  return document;
}

Document latex_document_of(const Table& table) {
  const Sheet sheet = lay_out(table);
  std::string about = fmt::format("{}. {}.", sheet.caption, sheet.source);
  if (!sheet.published_on.empty()) {
    about +=
        fmt::format(" Published on: {}. Measured on: {}.", sheet.published_on, sheet.measured_on);
  }
  Grid grid = grid_of(sheet);
  grid.caption = about;
  grid.label = fmt::format("tab:{}:{}", table.definition->paper, table.definition->table);
  Document document{.title = table.definition->id() + ": published and measured",
                    .body = notes_of(sheet)};
  document.body.emplace(document.body.begin(), std::move(grid));
  return document;
}

const std::vector<std::string>& table_formats() {
  static const std::vector<std::string> names{"json", "csv", "md", "tex"};
  return names;
}

std::string render(const Table& table, std::string_view format) {
  if (format == "json") return to_text(to_json(table));
  if (format == "csv") return to_csv(table);
  if (format == "md") return to_markdown(document_of(lay_out(table)));
  if (format == "tex") return to_latex(latex_document_of(table));
  throw UsageError(unknown_name("format", format, table_formats()));
}

void write_table(const Table& table, const fs::path& folder) {
  const fs::path place = folder / table.definition->paper;
  std::error_code failed;
  fs::create_directories(place, failed);
  if (failed) {
    throw Failure(fmt::format("{}: it cannot be created ({})", place.string(), failed.message()));
  }
  for (const std::string& format : table_formats()) {
    write_whole(place / (table.definition->table + "." + format), render(table, format));
  }
}

}  // namespace macrobench
