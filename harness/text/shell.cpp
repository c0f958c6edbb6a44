#include "harness/text/shell.hpp"

#include <fmt/format.h>

#include "harness/text/strings.hpp"

namespace macrobench {

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
  // A word that begins with "=" is expanded by some shells.
  const bool is_plain = !text.empty() && text.front() != '=' &&
                        text.find_first_not_of(plain) == std::string_view::npos;
  if (is_plain) return std::string(text);
  // What a terminal would obey is written by its bytes, so that the word may be shown too.
  if (printable(text) == text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
  }
  std::string word = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte >= 0x7f) {
      word += fmt::format("\\{:03o}", byte);
    } else {
      if (c == '\'' || c == '\\') word += '\\';
      word += c;
    }
  }
  return word + "'";
}

}  // namespace macrobench
