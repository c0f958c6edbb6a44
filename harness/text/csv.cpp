#include "harness/text/csv.hpp"

#include <cstddef>

namespace macrobench {

namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string result;
  for (std::size_t i = 0; i < fields.size(); ++i) result += (i > 0 ? "," : "") + quoted(fields[i]);
  return result + "\n";
}

}  // namespace macrobench
