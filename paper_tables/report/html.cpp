#include "paper_tables/report/html.hpp"

namespace macrobench {

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default: {
        const auto code = static_cast<unsigned char>(c);
        const bool is_control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
        result += is_control ? "\uFFFD" : std::string(1, c);
      }
    }
  }
  return result;
}

}  // namespace macrobench
