#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/tables/sheet.hpp"
#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string joined(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, "; "));
}

/// One distinct text of each origin.
template <class Get>
std::string over_origins(const Cell& cell, Get get) {
  std::set<std::string> names;
  for (const Provenance& one : cell.from) {
    if (std::string name = get(one); !name.empty()) names.insert(std::move(name));
  }
  return joined(names);
}

std::string marks_of(const Cell& cell) {
  std::string text;
  for (const auto& [sign, note] : cell.marks) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", symbol_of(sign), note);
  }
  return text;
}

ordered_json high_or_low(const Cell& cell, double ConfidenceInterval::* end) {
  return cell.value && cell.interval ? ordered_json(to_nine_digits((*cell.interval).*end))
                                     : ordered_json();
}

ordered_json count_or_null(int count) {
  return count > 0 ? ordered_json(count) : ordered_json();
}

/// One thing that is told of a cell.
struct CellMember {
  const char* suffix;
  DatumType type;
  ordered_json (*get)(const Cell& cell);
};

constexpr std::array<CellMember, 10> cell_member_list{{
    {"", DatumType::number, [](const Cell& cell) { return or_null(cell.value); }},
    {"_low", DatumType::number,
     [](const Cell& cell) { return high_or_low(cell, &ConfidenceInterval::low); }},
    {"_high", DatumType::number,
     [](const Cell& cell) { return high_or_low(cell, &ConfidenceInterval::high); }},
    {"_unit", DatumType::text, [](const Cell& cell) { return or_null(cell.unit); }},
    {"_kind", DatumType::text, [](const Cell& cell) { return or_null(word_of(cell)); }},
    {"_n", DatumType::integer, [](const Cell& cell) { return count_or_null(cell.samples); }},
    {"_machine", DatumType::text,
     [](const Cell& cell) {
       return or_null(over_origins(cell, std::mem_fn(&Provenance::machine)));
     }},
    {"_compiler", DatumType::text,
     [](const Cell& cell) {
       return or_null(over_origins(cell, std::mem_fn(&Provenance::compiler)));
     }},
    {"_marks", DatumType::text, [](const Cell& cell) { return or_null(marks_of(cell)); }},
    {"_why", DatumType::text, [](const Cell& cell) { return or_null(to_string(cell.why)); }},
}};

const char* json_type(DatumType type) {
  constexpr std::array<const char*, 6> names{"null",   "boolean", "integer",
                                             "number", "string",  "number"};
  return names.at(static_cast<std::size_t>(type));
}

/// A column of the data, as it stands there.
struct Member {
  std::string name;
  DatumType type;
  std::string unit;
};

std::vector<Member> members_of(const Sheet& sheet) {
  std::vector<Member> members;
  for (const SheetColumn& column : sheet.columns) {
    if (column.name.empty()) continue;
    if (column.type != DatumType::cell) {
      members.push_back({column.name, column.type, column.unit});
      continue;
    }
    for (const CellMember& one : cell_member_list) {
      members.push_back({column.name + one.suffix, one.type, {}});
    }
  }
  return members;
}

ordered_json row_of(const Sheet& sheet, const std::vector<Entry>& entries) {
  ordered_json row = ordered_json::object();
  for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
    const SheetColumn& column = sheet.columns[i];
    if (column.name.empty()) continue;
    const Datum& datum = entries[i].datum;
    if (column.type == DatumType::cell) {
      const Cell* cell = std::get_if<Cell>(&datum);
      for (const CellMember& one : cell_member_list) {
        row[column.name + one.suffix] = cell == nullptr ? ordered_json() : one.get(*cell);
      }
      continue;
    }
    row[column.name] = std::visit(
        [](const auto& value) -> ordered_json {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::monostate> || std::is_same_v<Value, Cell>) {
            return nullptr;
          } else {
            return value;
          }
        },
        datum);
  }
  return row;
}

std::vector<ordered_json> rows_of(const Sheet& sheet) {
  return each(sheet.rows,
              [&](const std::vector<Entry>& entries) { return row_of(sheet, entries); });
}

}  // namespace

std::vector<std::string> member_names(const Sheet& sheet) {
  return each(members_of(sheet), &Member::name);
}

std::string to_csv(const Sheet& sheet) {
  return to_csv(member_names(sheet), rows_of(sheet));
}

ordered_json to_json(std::string_view view, const std::vector<Sheet>& sheets) {
  ordered_json tables = ordered_json::object();
  for (const Sheet& sheet : sheets) {
    tables[sheet.name] = {{"keys", sheet.keys}, {"rows", rows_of(sheet)}};
  }
  return {{"schema", sheet_schema}, {"view", view}, {"tables", std::move(tables)}};
}

ordered_json json_schema_of(std::string_view view, const std::vector<Sheet>& sheets) {
  const auto object = [](const ordered_json& properties) -> ordered_json {
    std::vector<std::string> names;
    for (const auto& [name, schema] : properties.items()) names.push_back(name);
    return {{"type", "object"},
            {"properties", properties},
            {"required", names},
            {"additionalProperties", false}};
  };
  ordered_json tables = ordered_json::object();
  for (const Sheet& sheet : sheets) {
    ordered_json properties = ordered_json::object();
    for (const Member& one : members_of(sheet)) {
      if (one.type == DatumType::parameter) continue;  // additional ones, of the model
      ordered_json& schema = properties[one.name];
      schema["type"] = {json_type(one.type), "null"};
      if (!one.unit.empty()) schema["description"] = "in " + one.unit;
    }
    ordered_json row = object(properties);
    if (sheet.names_axes) {
      row["additionalProperties"] = {{"type", {"boolean", "number", "string", "null"}}};
    }
    tables[sheet.name] = object({{"keys", {{"const", sheet.keys}}},
                                 {"rows", {{"type", "array"}, {"items", std::move(row)}}}});
  }
  ordered_json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                      {"title", fmt::format("macrobench {} --json", view)}};
  schema.update(object({{"schema", {{"const", sheet_schema}}},
                        {"view", {{"const", view}}},
                        {"tables", object(tables)}}));
  return schema;
}

}  // namespace macrobench
