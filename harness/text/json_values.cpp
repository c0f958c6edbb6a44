#include "harness/text/json_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/text/left_by_git.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::string laid_out(const ordered_json& json, std::size_t indent) {
  constexpr std::size_t widest = 160;
  std::string line = compact(json);
  if (!json.is_structured() || line.size() <= widest) return line;
  const std::string space(indent + 1, ' ');
  std::string text(1, json.is_array() ? '[' : '{');
  for (auto member = json.begin(); member != json.end(); ++member) {
    text += (member == json.begin() ? "\n" : ",\n") + space;
    if (json.is_object()) text += compact(ordered_json(member.key())) + ": ";
    text += laid_out(*member, indent + 1);
  }
  return text + "\n" + space.substr(1) + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string compact(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string compact(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_line(const ordered_json& json) {
  return compact(json) + "\n";
}

template <class Json>
Json parsed(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}
template nlohmann::json parsed(std::string_view text);
template ordered_json parsed(std::string_view text);

std::string to_text(const ordered_json& json) {
  const std::string all = laid_out(json, 0) + "\n";
  std::string text;
  text.reserve(all.size());
  for (std::string_view rest = all; !rest.empty();) {
    const auto [code, length] = first_code_point(rest);
    // Only in strings, where an escape says the same.
    if (code == 0x7F || is_hidden_control(code)) {
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    } else {
      text += rest.substr(0, length);
    }
    rest.remove_prefix(length);
  }
  return text;
}

std::string why_not_json(std::string_view text) {
  std::size_t end = std::min(text.find('\0'), text.size());
  try {
    [[maybe_unused]] const nlohmann::json whole = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    end = std::min(end, error.byte);
  } catch (const nlohmann::json::out_of_range&) {
    return "a number in it is too large";
  }
  const std::string_view before = text.substr(0, end);
  const std::string_view line = text.substr(before.rfind('\n') + 1);
  return fmt::format("it is not JSON from line {} on{}", 1 + std::ranges::count(before, '\n'),
                     left_by_git(line.substr(0, line.find('\n'))));
}

void check_nesting(std::string_view json) {
  constexpr int deepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      if (++depth > deepest) {
        throw std::invalid_argument(fmt::format("it nests deeper than {} levels", deepest));
      }
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
}

}  // namespace macrobench
