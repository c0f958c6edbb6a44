#include "harness/records/reason.hpp"

#include <algorithm>
#include <array>
#include <ostream>

namespace macrobench {

namespace {

struct KindClause {
  Reason::Kind kind;
  std::string_view clause;
};
constexpr std::array<KindClause, 4> clauses{
    {{Reason::Kind::over_budget, "over the budget"},
     {Reason::Kind::no_record, "no record"},
     {Reason::Kind::status_contradicted, "its status contradicts the rest of it"},
     {Reason::Kind::not_divided, "not divided"}}};

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

Reason::Reason(Kind its_kind, std::string its_detail)
    : clause(std::ranges::find(clauses, its_kind, &KindClause::kind)->clause),
      detail(std::move(its_detail)),
      kind(its_kind) {}

Reason::Reason(std::string its_clause, std::string its_detail)
    : clause(std::move(its_clause)), detail(std::move(its_detail)) {
  const auto known = std::ranges::find(clauses, clause, &KindClause::clause);
  if (known != clauses.end()) kind = known->kind;
}

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
