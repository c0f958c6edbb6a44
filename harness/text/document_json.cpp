#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/text/document.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

void list_values(const ordered_json& json, const std::string& name, std::vector<Row>& rows) {
  const auto as_text = [](const ordered_json& value) {
    return value.is_string() ? value.get<std::string>()
           : value.is_null() ? "unknown"
                             : value.dump();
  };
  const bool is_nested =
      json.is_object() || (json.is_array() && !json.empty() && json.front().is_structured());
  if (is_nested) {
    for (const auto& [key, value] : json.items()) {
      list_values(value, name.empty() ? key : name + " " + key, rows);
    }
  } else if (json.is_array()) {
    std::string text;
    for (const ordered_json& value : json) {
      if (!text.empty()) text += ", ";
      text += as_text(value);
    }
    rows.push_back({{name, text}});
  } else {
    rows.push_back({{name, as_text(json)}});
  }
}

}  // namespace

Grid grid_of_object(const ordered_json& object, Words caption) {
  std::vector<Row> rows;
  list_values(object, "", rows);
  using enum Column::Kind;
  return grid_of({{"what", words}, {"value", words}}, std::move(rows), std::move(caption));
}

}  // namespace macrobench
