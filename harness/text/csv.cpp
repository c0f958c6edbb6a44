#include "harness/text/csv.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// A spreadsheet computes what begins with one of these signs, and may pass over spaces; a number
/// is what it says.
bool is_formula(std::string_view field) {
  field = trim(field);
  if (field.empty() || std::string_view("=+-@").find(field.front()) == std::string_view::npos) {
    return false;
  }
  return !finite_number(field) && !(field.front() == '+' && finite_number(field.substr(1)));
}

std::string quoted(const std::string& text) {
  const std::string line = printable(text);
  std::string field = is_formula(line) ? "'" + line : line;
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

std::string field_of(const nlohmann::ordered_json& row, const std::string& name) {
  const auto found = row.find(name);
  if (found == row.end() || found->is_null()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_number_float() ? fmt::format("{}", found->get<double>()) : found->dump();
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i > 0 ? "," : "") + quoted(fields[i]);
  return text + "\n";
}

std::string to_csv(const std::vector<std::string>& columns, const nlohmann::ordered_json& rows) {
  std::string text = csv_line(columns);
  for (const nlohmann::ordered_json& row : rows) {
    std::vector<std::string> fields;
    for (const std::string& name : columns) fields.push_back(field_of(row, name));
    text += csv_line(fields);
  }
  return text;
}

}  // namespace macrobench
