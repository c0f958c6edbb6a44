#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace macrobench {

/// The value as JSON; null if there is none.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// The text as JSON; null if it is empty.
inline nlohmann::ordered_json or_null(std::string_view text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

/// As one line, with its line end; what is not UTF-8 is replaced.
std::string to_line(const nlohmann::ordered_json& json);
/// The same without the line end.
std::string compact(const nlohmann::ordered_json& json);
std::string compact(const nlohmann::json& json);

/// For a reader: what fits on a line is on one, such as a cell or a row of numbers; with the last
/// line's end. What is not UTF-8 is replaced, and what a terminal would obey is an escape.
std::string to_text(const nlohmann::ordered_json& json);

/// The text's value; discarded if it is not JSON. (Json::parse() would end at a NUL and pass over
/// what follows. Its template is compiled here alone, for both kinds of JSON: it takes seconds.)
template <class Json = nlohmann::json>
Json parsed(std::string_view text);

/// "it is not JSON from line 3 on", of a text that is not.
std::string why_not_json(std::string_view text);

/// Throws std::invalid_argument if a JSON text nests deeper than any of ours, so that recursion
/// into its values, one call per level, does not run out of stack.
void check_nesting(std::string_view json);

}  // namespace macrobench
