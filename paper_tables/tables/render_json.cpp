#include <nlohmann/json.hpp>

#include "harness/records/record_json.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/definitions/quantity.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const TableRow& row) {
  const RowDefinition& definition = *row.definition;
  ordered_json published = ordered_json::array();
  for (const auto& cell : definition.published) published.push_back(or_null(cell));
  ordered_json measured = ordered_json::array();
  for (const Cell& cell : row.cells) {
    measured.push_back({{"value", cell.text.empty() ? or_null(cell.value) : or_null(cell.text)},
                        {"status", to_string(cell.status)},
                        {"why", or_null(to_string(cell.why))},
                        {"samples", or_null(cell.samples)},
                        {"spread", or_null(cell.spread)}});
  }
  ordered_json json{{"label", definition.label},
                    {"implementation", or_null(row.implementation)},
                    {"parameters", to_json(row.parameters)},
                    {"quantity", to_string(definition.quantity)},
                    {"unit", definition.unit},
                    {"baseline", or_null(row.baseline)},
                    {"published", std::move(published)},
                    {"measured", std::move(measured)}};
  const std::string of(description_of(definition.quantity).of);
  if (definition.stages.size() == 1) json[of] = definition.stages.front();
  if (definition.stages.size() > 1) json[of] = definition.stages;
  if (!definition.of.empty()) json[of] = definition.of;
  if (definition.per_iteration) json["per"] = "iteration";
  if (definition.extra) json["extra"] = true;
  return json;
}

}  // namespace

ordered_json to_json(const Table& table) {
  const Definition& definition = *table.definition;
  ordered_json json{{"schema", Definition::schema}, {"paper", definition.paper},
                    {"table", definition.table},    {"caption", definition.caption},
                    {"machine", table.machine},     {"columns", ordered_json::array()}};
  for (const ColumnDefinition& column : definition.columns) {
    json["columns"].push_back(
        {{"label", column.label}, {"parameters", to_json(column.parameters)}});
    if (!column.figure.empty()) json["columns"].back()["figure"] = column.figure;
  }
  // Only a table with several published groups keeps them; otherwise our rows follow the paper's.
  const bool grouped = !definition.groups.front().label.empty();
  json[grouped ? "groups" : "rows"] = ordered_json::array();
  for (const TableGroup& group : table.groups) {
    ordered_json rows = ordered_json::array();
    for (const TableRow& row : group.rows) rows.push_back(to_json(row));
    if (grouped) {
      json["groups"].push_back({{"label", group.label}, {"rows", std::move(rows)}});
    } else {
      for (ordered_json& row : rows) json["rows"].push_back(std::move(row));
    }
  }
  return json;
}

}  // namespace macrobench
