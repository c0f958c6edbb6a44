#include "harness/text/strings.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace macrobench {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view white = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(white)));
  return text.substr(0, text.find_last_not_of(white) + 1);
}

std::string_view last_line(std::string_view text) {
  text = trim(text);
  return trim(text.substr(text.find_last_of("\r\n") + 1));
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = first_code_point(text);
    const std::string_view character = text.substr(0, length);
    const bool is_kept = kept.find(text.front()) != std::string_view::npos;
    if ((code < 0x20 || code == 0x7F) && !is_kept) {
      result += ' ';
    } else if (code == 0xFFFD || is_hidden_control(code)) {
      result += "\uFFFD";
    } else {
      result += character;
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view dots = "...";
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - std::min(most, dots.size());
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + std::string(dots.substr(0, most));
}

std::string shown(std::string_view value) {
  return shortened(value, 100);
}

CodePoint first_code_point(std::string_view text) {
  constexpr CodePoint invalid{0xFFFD, 1};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return invalid;
  char32_t code = first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return invalid;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  return code < least[length] || is_surrogate || code > 0x10FFFF ? invalid
                                                                 : CodePoint{code, length};
}

bool is_hidden_control(char32_t code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::optional<double> finite_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\x1b[")) {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string padded(const std::string& text, std::size_t width, Side side) {
  const std::size_t own = display_width(text);
  const std::string space(width > own ? width - own : 0, ' ');
  return side == Side::left ? text + space : space + text;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string result;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      result += line + "\n";
      line = indent;
    } else if (!line.empty()) {
      line += ' ';
    }
    line += word;
    at = end + 1;
  }
  return result + line + "\n";
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

bool obeys_escapes(int descriptor) {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

bool has_colours(int descriptor) {
  const char* const none = std::getenv("NO_COLOR");
  return obeys_escapes(descriptor) && (none == nullptr || *none == '\0');
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace macrobench
