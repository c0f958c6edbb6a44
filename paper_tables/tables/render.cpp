#include "paper_tables/tables/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "harness/records/record_json.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"

namespace macrobench {

using nlohmann::ordered_json;

ordered_json to_json(const Cell& cell) {
  // A ratio that reaches too far is its two numbers everywhere.
  const bool is_two = cell.kind == Kind::extrapolated && !cell.text.empty();
  const ordered_json value = cell.text.empty() || is_two ? or_null(cell.value) : or_null(cell.text);
  ordered_json json{
      {"value", value}, {"kind", word_of(cell)}, {"why", or_null(to_string(cell.why))}};
  if (cell.interval) {
    json["low"] = to_nine_digits(cell.interval->low);
    json["high"] = to_nine_digits(cell.interval->high);
  }
  if (cell.samples > 0) {
    json["n"] = cell.samples;
    json["n_of"] = cell.samples_of;
    json["spread"] = cell.spread;
    json["processes"] = cell.processes;
    json["sittings"] = cell.sittings;
  }
  std::set<std::string> campaigns;
  for (const Provenance& origin : cell.from) {
    if (origin.campaign != nullptr) campaigns.insert(origin.campaign->id);
  }
  if (!campaigns.empty()) json["campaigns"] = campaigns;
  if (!cell.marks.empty()) json["marks"] = each(cell.marks, &Mark::note);
  if (is_two) json["shown_as"] = cell.text;
  return json;
}

namespace {

constexpr int json_schema = 2;

ordered_json json_of_row(const TableRow& row) {
  const RowDefinition& definition = *row.definition;
  const auto text_or_null = [](const std::optional<std::string>& text) { return or_null(text); };
  ordered_json json{{"label", definition.label},
                    {"implementation", or_null(row.implementation)},
                    {"parameters", to_json(row.parameters)},
                    {"quantity", to_string(definition.quantity)},
                    {"unit", definition.unit},
                    {"baseline", or_null(row.baseline)},
                    {"published", each(definition.published, text_or_null)},
                    {"measured", each(row.cells, [](const Cell& cell) { return to_json(cell); })}};
  const std::string of(description_of(definition.quantity).of);
  if (definition.stages.size() == 1) json[of] = definition.stages.front();
  if (definition.stages.size() > 1) json[of] = definition.stages;
  if (!definition.of.empty()) json[of] = definition.of;
  if (definition.per_iteration) json["per"] = "iteration";
  if (definition.extra) json["extra"] = true;
  const auto ratio = [](const Ratio& one) { return to_json(one.cell()); };
  const std::vector<Ratio> speed_ups = speed_ups_of(row);
  if (!speed_ups.empty()) json["speed_up"] = each(speed_ups, ratio);
  return json;
}

/// Everything about one cell except its parameters.
ordered_json csv_line_of(const Table& table, const TableGroup& group, const TableRow& row,
                         std::size_t column) {
  const Definition& definition = *table.definition;
  const RowDefinition& its = *row.definition;
  const std::string published = its.published[column].value_or("");
  ordered_json line{{"paper", definition.paper},
                    {"table", definition.table},
                    {"machine", table.machine},
                    {"group", group.label},
                    {"row", its.label},
                    {"extra", its.extra},
                    {"column", definition.columns[column].label},
                    {"implementation", row.implementation},
                    {"quantity", to_string(its.quantity)},
                    {"unit", its.unit},
                    {"baseline", row.baseline},
                    {"published", published},
                    {"published_value", or_null(printed_number(published))},
                    {"published_on", definition.hardware}};
  const ordered_json cell = to_json(row.cells[column]);
  for (const char* field : {"value", "kind", "why", "low", "high", "n", "n_of", "spread",
                            "processes", "sittings", "shown_as"}) {
    line[field] = cell.value(field, ordered_json());
  }
  line["marks"] = fmt::format("{}", fmt::join(each(row.cells[column].marks, &Mark::note), "; "));
  return line;
}

}  // namespace

ordered_json to_json(const Table& table) {
  const Definition& definition = *table.definition;
  const auto json_of_column = [](const ColumnDefinition& column) {
    ordered_json json{{"label", column.label}, {"parameters", to_json(column.parameters)}};
    if (!column.figure.empty()) json["figure"] = column.figure;
    return json;
  };
  ordered_json json{
      {"schema", json_schema},     {"paper", definition.paper},
      {"table", definition.table}, {"caption", definition.caption},
      {"machine", table.machine},  {"columns", each(definition.columns, json_of_column)}};
  const CellCounts counts = count_cells(table);
  json["in_print"] = {{"numbers", counts.printed},
                      {"measured", counts.measured},
                      {"ratios", counts.ratios},
                      {"computed", counts.computed},
                      {"extrapolated", counts.extrapolated},
                      {"without", counts.without()}};
  // Only a table with several published groups keeps them; otherwise our rows follow the paper's,
  // and name their group.
  const bool grouped = !definition.groups.front().label.empty();
  json[grouped ? "groups" : "rows"] = ordered_json::array();
  for (const TableGroup& group : table.groups) {
    std::vector<ordered_json> rows = each(group.rows, json_of_row);
    if (grouped) {
      json["groups"].push_back({{"label", group.label}, {"rows", std::move(rows)}});
      continue;
    }
    for (ordered_json& row : rows) {
      if (!group.label.empty()) row["group"] = group.label;
      json["rows"].push_back(std::move(row));
    }
  }
  return json;
}

std::string to_csv(const Table& table) {
  std::vector<std::string> columns;
  ordered_json lines = ordered_json::array();
  for (const TableGroup& group : table.groups) {
    for (const TableRow& row : group.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        ordered_json& line = lines.emplace_back(csv_line_of(table, group, row, i));
        if (columns.empty()) {
          for (const auto& [name, value] : line.items()) columns.push_back(name);
        }
        line.update(to_json(row.parameters));
        line.update(to_json(table.definition->columns[i].parameters));
      }
    }
  }
  // Every parameter that a cell names, in the order of the model's axes.
  for (const Axis& axis : Registry::global().model(table.definition->model).axes) {
    const auto names_it = [&](const ordered_json& line) { return line.contains(axis.name); };
    if (std::ranges::any_of(lines, names_it)) columns.push_back(axis.name);
  }
  return to_csv(columns, lines);
}

const std::vector<std::string>& table_formats() {
  static const std::vector<std::string> names{"json", "csv", "md", "tex"};
  return names;
}

std::string render(const Table& table, std::string_view format) {
  if (format == "json") return to_text(to_json(table));
  if (format == "csv") return to_csv(table);
  if (format == "md") return to_markdown(document_of(table));
  if (format == "tex" || format == "latex") return to_latex(latex_document_of(table));
  if (format == "text") return to_terminal(document_of(table, true));
  throw UsageError(unknown_name("format", format, table_formats()));
}

void write_table(const Table& table, const OutputFolder& folder) {
  const OutputFolder place = folder.folder(table.definition->paper);
  for (const std::string& format : table_formats()) {
    place.write(table.definition->table + "." + format, render(table, format));
  }
}

}  // namespace macrobench
