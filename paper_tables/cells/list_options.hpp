#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/list_topics.hpp"
#include "harness/text/each.hpp"

namespace macrobench {

/// What a topic of `macrobench list` prints: objects of texts, as JSON under a name, and as a
/// document with a column for each of their members and a last sentence.
inline Output listed(const std::string& name, std::function<nlohmann::ordered_json()> objects,
                     const std::string& title, std::vector<Column> columns,
                     const std::string& advice) {
  const auto row = [](const nlohmann::ordered_json& object) {
    return Row{each(object, [](const nlohmann::ordered_json& value) {
      return Words(value.get<std::string>());
    })};
  };
  return {.document =
              [=] {
                return Document{
                    .title = title,
                    .body = {grid_of(columns, each(objects(), row)), Paragraph{advice}}};
              },
          .json = [=] { return nlohmann::ordered_json{{"schema", 1}, {name, objects()}}; }};
}

}  // namespace macrobench
