#include "paper_tables/tables/render.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/numbers/folder_times.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

namespace {

/// A cell of a table with its place.
struct CellRow {
  const Table* table;
  const TableGroup* group;
  const TableRow* row;
  std::size_t column;
  Cell speed_up;

  [[nodiscard]] const Definition& definition() const { return *table->definition; }
  [[nodiscard]] const RowDefinition& its() const { return *row->definition; }
  [[nodiscard]] const Cell& here() const { return row->cells[column]; }
};

using GroupsOf = std::vector<TableGroup> Table::*;

std::vector<CellRow> rows_in(const std::vector<Table>& tables, GroupsOf groups) {
  std::vector<CellRow> rows;
  for (const Table& table : tables) {
    for (const TableGroup& group : table.*groups) {
      for (const TableRow& row : group.rows) {
        const std::vector<Ratio> speed_ups = speed_ups_of(row);
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
          rows.push_back(
              {&table, &group, &row, i, speed_ups.empty() ? Cell() : speed_ups[i].cell()});
        }
      }
    }
  }
  return rows;
}

/// The stages or the figure of the result that the quantity measures.
std::string what_of(const CellRow& one) {
  const std::string& figure = one.definition().columns[one.column].figure;
  const RowDefinition& its = one.its();
  return !its.stages.empty() ? name_of_stages(its.stages) : its.of.empty() ? figure : its.of;
}

/// The column's parameters go over the row's.
const Value* parameter_of(const CellRow& one, const std::string& name) {
  const Value* of_column = one.definition().columns[one.column].parameters.find(name);
  return of_column != nullptr ? of_column : one.row->parameters.find(name);
}

/// Every parameter that a cell names, in the order of the models' axes.
std::vector<std::string> axes_of(const std::vector<CellRow>& rows) {
  std::vector<std::string> names;
  for (const CellRow& one : rows) {
    for (const Axis& axis : one.definition().its_model().axes) {
      if (parameter_of(one, axis.name) != nullptr &&
          std::ranges::find(names, axis.name) == names.end()) {
        names.push_back(axis.name);
      }
    }
  }
  return names;
}

Sheet cells_of(const std::vector<Table>& tables, const char* name = "cells",
               GroupsOf groups = &Table::groups) {
  using One = CellRow;
  const std::vector<One> rows = rows_in(tables, groups);
  return SheetOf<One>(name, {"paper", "table", "group", "row", "column"})
      .data("paper", [](const One& one) { return one.definition().paper; })
      .data("table", [](const One& one) { return one.definition().table; })
      .data("group", [](const One& one) { return one.group->label; })
      .data("row", [](const One& one) { return one.its().label; })
      .data("column", [](const One& one) { return one.definition().columns[one.column].label; })
      .data("is_ours", [](const One& one) { return one.its().extra; })
      .data("implementation", [](const One& one) { return one.row->implementation; })
      .data("quantity", [](const One& one) { return std::string(to_string(one.its().quantity)); })
      .data("of", what_of)
      .data("unit", [](const One& one) { return one.its().unit; })
      .data("per", [](const One& one) { return one.its().per_iteration ? "iteration" : ""; })
      .data("baseline", [](const One& one) { return one.row->baseline; })
      .data("in_print", [](const One& one) { return one.its().published[one.column].value_or(""); })
      .data("published_on", [](const One& one) { return one.definition().hardware.id; })
      .data("published",
            [](const One& one) { return printed_cell(one.its(), one.column, one.here()); })
      .data("here", &One::here)
      .data({"error", "share"}, [](const One& one) { return one.here().error; })
      .data("error_of",
            [](const One& one) {
              return one.here().error ? share_of_errors(one.definition().its_model()) : "";
            })
      .data("speed_up", &One::speed_up)
      .axes(axes_of(rows), parameter_of)
      .of(rows);
}

Sheet numbers_of(const std::vector<Table>& tables) {
  using One = std::pair<const Definition*, CellCounts>;
  const auto counted = [](const Table& table) { return One{table.definition, count_cells(table)}; };
  return SheetOf<One>("numbers", {"paper", "table"})
      .data("paper", [](const One& one) { return one.first->paper; })
      .data("table", [](const One& one) { return one.first->table; })
      .data("caption", [](const One& one) { return one.first->caption; })
      .data("in_print", [](const One& one) { return one.second.printed; })
      .data("measured", [](const One& one) { return one.second.measured; })
      .data("ratios", [](const One& one) { return one.second.ratios; })
      .data("computed", [](const One& one) { return one.second.computed; })
      .data("extrapolated", [](const One& one) { return one.second.extrapolated; })
      .data("without", [](const One& one) { return one.second.without(); })
      .of(each(tables, counted));
}

}  // namespace

std::vector<Sheet> sheets_of(const std::vector<Table>& tables) {
  return {cells_of(tables), numbers_of(tables), cells_of(tables, "needs", &Table::needs)};
}

const std::vector<std::string>& table_formats() {
  static const std::vector<std::string> names{"json", "csv", "md", "tex"};
  return names;
}

std::string render(const Table& table, std::string_view format) {
  if (format == "json") return to_text(to_json("tables", sheets_of({table})));
  if (format == "csv") return to_csv(cells_of({table}));
  if (format == "md") return to_markdown(document_of(table));
  if (format == "tex") return to_latex(latex_document_of(table));
  if (format == "text") return to_terminal(document_of(table));
  throw UsageError(unknown_name("format", format, table_formats()));
}

void write_table(const Table& table, const OutputFolder& folder) {
  const OutputFolder place = folder.folder(table.definition->paper);
  for (const std::string& format : table_formats()) {
    place.write(table.definition->table + "." + format, render(table, format));
  }
}

}  // namespace macrobench
