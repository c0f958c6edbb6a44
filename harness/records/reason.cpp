#include "harness/records/reason.hpp"

#include <ostream>

namespace macrobench {

namespace {

/// The position of the bracket that the last character closes; npos if that is not a bracket, or if
/// the brackets do not match.
std::size_t opening_of_last_bracket(std::string_view text) {
  if (!text.ends_with(')')) return std::string_view::npos;
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string to_string(const Reason& reason) {
  return reason.detail.empty() ? reason.clause : reason.clause + " (" + reason.detail + ")";
}

std::ostream& operator<<(std::ostream& out, const Reason& reason) {
  return out << to_string(reason);
}

Reason reason_from(std::string_view text) {
  const std::size_t at = opening_of_last_bracket(text);
  const bool has_both =
      at != std::string_view::npos && at > 1 && text[at - 1] == ' ' && text.size() > at + 2;
  if (!has_both) return std::string(text);
  return {std::string(text.substr(0, at - 1)),
          std::string(text.substr(at + 1, text.size() - at - 2))};
}

}  // namespace macrobench
