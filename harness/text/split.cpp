#include "harness/text/split.hpp"

#include <algorithm>

namespace macrobench {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view white = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(white)));
  return text.substr(0, text.find_last_not_of(white) + 1);
}

}  // namespace macrobench
