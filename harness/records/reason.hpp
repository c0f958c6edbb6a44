#pragma once

#include <fmt/core.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace macrobench {

/// Why there is no number, or where one comes from: "over the budget (predicted 3 h)". Two reasons
/// with the same clause are the same reason, whatever their details.
struct Reason {
  std::string clause;
  std::string detail;  ///< may be empty

  Reason() = default;
  Reason(std::string its_clause, std::string its_detail = {})
      : clause(std::move(its_clause)), detail(std::move(its_detail)) {}
  Reason(const char* its_clause) : clause(its_clause) {}

  [[nodiscard]] bool empty() const { return clause.empty(); }
  bool operator==(const Reason&) const = default;
};

/// "clause (detail)", or the clause alone.
std::string to_string(const Reason& reason);

std::ostream& operator<<(std::ostream& out, const Reason& reason);

/// A reason written as one text, as in schema 1: the part in brackets at its end is the detail.
/// to_string() gives the text back.
Reason reason_from(std::string_view text);

}  // namespace macrobench

/// As to_string() writes it.
template <>
struct fmt::formatter<macrobench::Reason> : fmt::formatter<std::string_view> {
  auto format(const macrobench::Reason& reason, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(macrobench::to_string(reason), context);
  }
};
