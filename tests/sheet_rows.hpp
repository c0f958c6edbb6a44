#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/tables/sheet.hpp"

namespace macrobench {

/// The rows of the sheet of this name, as JSON has them.
inline nlohmann::json rows_of(const std::vector<Sheet>& sheets, const std::string& name) {
  return nlohmann::json(to_json("a view", sheets).at("tables").at(name).at("rows"));
}

}  // namespace macrobench
