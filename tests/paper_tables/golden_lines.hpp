#pragma once

// What golden files of one line per cell or per claim are made of.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace macrobench {

/// Numbers to four digits, what is null or left out not at all: "samples 6, spread 0.0099".
inline std::string in_a_line(const nlohmann::ordered_json& json,
                             const std::set<std::string>& left_out = {}) {
  if (json.is_number_float()) return fmt::format("{:.4g}", json.get<double>());
  if (json.is_string()) return json.get<std::string>();
  if (json.is_null()) return "";
  if (!json.is_structured()) return json.dump();
  std::string line;
  for (const auto& [name, value] : json.items()) {
    if (value.is_null() || left_out.contains(name)) continue;
    if (!line.empty()) line += ", ";
    if (json.is_object()) line += name + " ";
    line += value.is_structured() ? "{" + in_a_line(value) + "}" : in_a_line(value);
  }
  return line;
}

}  // namespace macrobench
