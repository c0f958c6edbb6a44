#pragma once

#include <fmt/format.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace macrobench {

/// Why there is no number, or where one comes from: "over the budget (predicted 3 h)". Two reasons
/// with the same clause are the same reason, whatever their details.
struct Reason {
  /// The reasons that something is decided by; all others are only shown.
  enum class Kind { only_shown, over_budget, no_record, status_contradicted, not_divided };

  std::string clause;
  std::string detail;  ///< may be empty
  Kind kind = Kind::only_shown;

  Reason() = default;
  explicit Reason(Kind its_kind, std::string its_detail = {});
  /// Its kind is the one that has this clause: records hold the clause alone.
  Reason(std::string its_clause, std::string its_detail = {});
  Reason(const char* its_clause) : Reason(std::string(its_clause)) {}

  [[nodiscard]] bool empty() const { return clause.empty(); }
  bool operator==(const Reason&) const = default;
};

/// "clause (detail)", or the clause alone.
std::string to_string(const Reason& reason);

std::ostream& operator<<(std::ostream& out, const Reason& reason);

/// A reason written as one text: the part in brackets at its end is the detail.
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
