#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace macrobench {

/// The value as JSON; null where there is none.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// The text as JSON; null where it is empty.
inline nlohmann::ordered_json or_null(std::string_view text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

/// As one line, its line end included; what is not UTF-8 in it is replaced.
inline std::string to_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// For a reader: what fits on a line stands on one, a cell or a row of numbers; the last line's end
/// included. What is not UTF-8 in it is replaced.
std::string to_text(const nlohmann::ordered_json& json);

}  // namespace macrobench
