#include <fmt/format.h>

#include <algorithm>

#include "harness/text/csv.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

template <class T>
std::string or_empty(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

/// Every parameter that a cell of the table names, in the order of the model's axes.
std::vector<std::string> parameter_names(const Table& table) {
  std::vector<std::string> names;
  for (const Axis& axis : Registry::global().model(table.definition->model).axes) {
    const auto named = [&](const Parameters& p) { return p.find(axis.name) != nullptr; };
    const bool in_column =
        std::any_of(table.definition->columns.begin(), table.definition->columns.end(),
                    [&](const ColumnDefinition& column) { return named(column.parameters); });
    const bool in_row =
        std::any_of(table.groups.begin(), table.groups.end(), [&](const TableGroup& group) {
          return std::any_of(group.rows.begin(), group.rows.end(),
                             [&](const TableRow& row) { return named(row.parameters); });
        });
    if (in_column || in_row) names.push_back(axis.name);
  }
  return names;
}

std::string parameter(const std::string& name, const ColumnDefinition& column,
                      const TableRow& row) {
  if (const Value* value = column.parameters.find(name)) return to_string(*value);
  if (const Value* value = row.parameters.find(name)) return to_string(*value);
  return {};
}

}  // namespace

std::string to_csv(const Table& table) {
  const Definition& definition = *table.definition;
  const std::vector<std::string> names = parameter_names(table);
  std::vector<std::string> header{
      "paper",    "table",     "machine",         "group",        "row",
      "extra",    "column",    "implementation",  "quantity",     "unit",
      "baseline", "published", "published_value", "published_on", "value",
      "status",   "why",       "samples",         "spread"};
  header.insert(header.end(), names.begin(), names.end());
  std::string csv = csv_line(header);
  for (const TableGroup& group : table.groups) {
    for (const TableRow& row : group.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const ColumnDefinition& column = definition.columns[i];
        const std::string published = row.definition->published[i].value_or("");
        const Cell& cell = row.cells[i];
        std::vector<std::string> fields{definition.paper,
                                        definition.table,
                                        table.machine,
                                        group.label,
                                        row.definition->label,
                                        row.definition->extra ? "true" : "false",
                                        column.label,
                                        row.implementation,
                                        to_string(row.definition->quantity),
                                        row.definition->unit,
                                        row.baseline,
                                        published,
                                        or_empty(printed_number(published)),
                                        definition.hardware,
                                        cell.text.empty() ? or_empty(cell.value) : cell.text,
                                        to_string(cell.status),
                                        to_string(cell.why),
                                        or_empty(cell.samples),
                                        or_empty(cell.spread)};
        for (const std::string& name : names) fields.push_back(parameter(name, column, row));
        csv += csv_line(fields);
      }
    }
  }
  return csv;
}

}  // namespace macrobench
