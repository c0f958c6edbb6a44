#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/claims/claims_verdict.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// A verdict's name, and the class by which a page of HTML colours it; in their order.
struct VerdictDescription {
  const char* name;
  const char* style;
};
constexpr std::array<VerdictDescription, 4> verdicts{
    {{"reproduced", "verdict reproduced"},
     {"contradicted", "verdict contradicted"},
     {"depends on the baseline", "verdict depends"},
     {"not testable here", "verdict"}}};

const VerdictDescription& description_of(ClaimVerdict verdict) {
  return verdicts[static_cast<std::size_t>(verdict)];
}

/// "1.5 to 2.5", "at least 500", "at most 1".
std::string to_string(const Range& range) {
  if (range.at_least && range.at_most) {
    return fmt::format("{:.10g} to {:.10g}", *range.at_least, *range.at_most);
  }
  return range.at_least ? fmt::format("at least {:.10g}", *range.at_least)
                        : fmt::format("at most {:.10g}", range.at_most.value_or(0));
}

/// The test: "Tuned CPU over GPU: at least 500 in some column".
std::string asked(const Claim& claim) {
  const ClaimTest& test = claim.test;
  std::string steps;
  if (test.times > 1) {
    steps += fmt::format(", {:g} times at least from first to last", test.times);
  }
  if (test.slack > 0) steps += fmt::format(", but for steps of up to {:g}%", 100 * test.slack);
  return claim.quantity + ": " +
         fmt::format(fmt::runtime(description_of(test.kind).asked),
                     fmt::arg("range", to_string(test.range)), fmt::arg("steps", steps),
                     fmt::arg("first", fmt::join(test.first, " or ")),
                     fmt::arg("over", test.over == "work" ? "the work" : test.over));
}

/// Puts evidence into words.
class EvidenceText {
 public:
  explicit EvidenceText(const ClaimTest& test) {
    const double least = test.range.at_least.value_or(-HUGE_VAL);
    const double most = test.range.at_most.value_or(HUGE_VAL);
    is_narrow_ = test.kind == TestKind::within && std::isfinite(most) &&
                 std::abs(most - least) < 0.01 * std::abs(most);
  }

  std::string operator()(const std::string& words) const { return words; }

  /// With enough digits to show whether it is in the range.
  std::string operator()(double number) const {
    return is_narrow_ ? fmt::format("{:.9g}", number) : format_number(number);
  }

  /// "198 at 65,536"; with what replaces the cell's own case, in brackets.
  std::string operator()(const SeriesPoint& point) const {
    if (!point.is_known) {
      return fmt::format("{} at {}: {}", point.of, point.column, why_not(point));
    }
    const std::string number = (*this)(point.value);
    if (point.column.empty()) return fmt::format("{} {}", point.of, number);
    return fmt::format("{} at {}{}", number, point.column,
                       point.why.empty() ? "" : fmt::format(" ({})", point.why));
  }

 private:
  /// "extrapolated", "invalid: not converged", "no record on this machine".
  static std::string why_not(const SeriesPoint& point) {
    if (point.status == Status::not_run) {
      return point.why.empty() ? "not run" : to_string(point.why);
    }
    if (point.status == Status::extrapolated || point.why.empty()) return to_string(point.status);
    return fmt::format("{}: {}", to_string(point.status), point.why.clause);
  }

  bool is_narrow_;
};

/// "holds (502 at 4,096)".
std::string result_of(const Answer& answer, const ClaimTest& test) {
  const char* result = !answer.holds ? "no verdict" : *answer.holds ? "holds" : "does not hold";
  return fmt::format("{} ({})", result, evidence_text(answer, test));
}

int total(const VerdictCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

ordered_json to_json(const Answer& answer, const ClaimTest& test) {
  ordered_json figures = ordered_json::array();
  for (const SeriesPoint& figure : answer.figures) {
    figures.push_back(
        {{"of", figure.of}, {"column", figure.column}, {"value", to_nine_digits(figure.value)}});
  }
  return {{"reading", answer.called},
          {"holds", or_null(answer.holds)},
          {"found", evidence_text(answer, test)},
          {"figures", std::move(figures)}};
}

ordered_json to_json(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  ordered_json test{{"kind", description_of(claim.test.kind).name}};
  if (!claim.test.columns.empty()) test["columns"] = claim.test.columns;
  if (claim.test.range.at_least) test["at_least"] = *claim.test.range.at_least;
  if (claim.test.range.at_most) test["at_most"] = *claim.test.range.at_most;
  if (claim.test.slack > 0) test["slack"] = claim.test.slack;
  if (claim.test.times > 1) test["times"] = claim.test.times;
  if (!claim.test.first.empty()) test["first"] = claim.test.first;
  if (!claim.test.over.empty()) test["over"] = claim.test.over;
  if (claim.cores) test["cores"] = *claim.cores;
  ordered_json json{{"claim", claim.name},
                    {"where", claim.where},
                    {"says", claim.says},
                    {"quantity", claim.quantity},
                    {"test", std::move(test)},
                    {"reason", claim.reason},
                    {"verdict", to_string(judged.verdict)},
                    {"why_not", or_null(why_not_text(judged))},
                    {"answers", ordered_json::array()}};
  for (const Answer& answer : judged.answers) {
    json["answers"].push_back(to_json(answer, claim.test));
  }
  json["in_print"] = judged.printed ? to_json(*judged.printed, claim.test) : ordered_json(nullptr);
  return json;
}

/// What is said below a claim, in order: what is asked, and what each reading came to.
std::vector<std::string> lines_of(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  if (judged.answers.empty()) {
    return {fmt::format("Looked for: {}. {}", claim.quantity, claim.reason)};
  }
  std::vector<std::string> lines{fmt::format("Asked: {}. {}", asked(claim), claim.reason)};
  if (claim.cores) lines.back() += fmt::format(" It needs a machine of {} cores.", *claim.cores);
  for (const Answer& answer : judged.answers) {
    const std::string reading = judged.answers.size() == 1 ? "" : ", " + answer.called;
    lines.push_back(fmt::format("Here{}: {}", reading, result_of(answer, claim.test)));
  }
  if (judged.printed) {
    lines.push_back("By the paper's own numbers: " + result_of(*judged.printed, claim.test));
  }
  return lines;
}

}  // namespace

std::string to_string(ClaimVerdict verdict) {
  return description_of(verdict).name;
}

std::string evidence_text(const Answer& answer, const ClaimTest& test) {
  std::string text;
  for (const auto& part : answer.evidence) text += std::visit(EvidenceText(test), part);
  return text;
}

std::string why_not_text(const JudgedClaim& judged) {
  if (judged.verdict != ClaimVerdict::not_testable) return "";
  return judged.answers.empty() ? judged.claim->reason
                                : evidence_text(judged.answers.front(), judged.claim->test);
}

std::string counted(const VerdictCounts& counts) {
  return fmt::format(
      "{} reproduced, {} contradicted, {} that depend on the baseline, {} not testable here",
      counts[0], counts[1], counts[2], counts[3]);
}

ordered_json to_json(const ClaimReport& report) {
  const VerdictCounts counts = count_verdicts(report.papers);
  ordered_json json{{"schema", ClaimReport::schema},
                    {"machine", report.machine},
                    {"claims", total(counts)},
                    {"counts", ordered_json::object()},
                    {"papers", ordered_json::array()}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json["counts"][verdicts[i].name] = counts[i];
  }
  for (const JudgedPaper& paper : report.papers) {
    ordered_json claims = ordered_json::array();
    for (const JudgedClaim& judged : paper.claims) claims.push_back(to_json(judged));
    json["papers"].push_back({{"paper", paper.paper->paper},
                              {"document", paper.paper->document},
                              {"claims", std::move(claims)}});
  }
  return json;
}

std::string to_csv(const ClaimReport& report) {
  ordered_json rows = ordered_json::array();
  for (const JudgedPaper& paper : report.papers) {
    for (const JudgedClaim& judged : paper.claims) {
      rows.push_back(to_json(judged));
      rows.back()["paper"] = paper.paper->paper;
    }
  }
  return to_csv({"paper", "claim", "where", "says", "quantity", "verdict", "why_not", "reason"},
                rows);
}

Document document_of(const ClaimReport& report) {
  const VerdictCounts counts = count_verdicts(report.papers);
  std::vector<Column> columns{{"paper", Column::Kind::words}, {"claims"}};
  for (const VerdictDescription& verdict : verdicts) columns.push_back({verdict.name});
  std::vector<Row> rows;
  Document document{.title = "The papers' claims"};
  for (const JudgedPaper& paper : report.papers) {
    const VerdictCounts own = count_verdicts({paper});
    std::vector<Words>& cells =
        rows.emplace_back(Row{{paper.paper->paper, std::to_string(total(own))}}).cells;
    for (const int count : own) cells.emplace_back(std::to_string(count));
    document.body.emplace_back(Heading{paper.paper->document});
    List claims;
    for (const JudgedClaim& judged : paper.claims) {
      ListItem& item = claims.items.emplace_back();
      item.words = strong(to_string(judged.verdict), description_of(judged.verdict).style) +
                   fmt::format(": {} ({})", judged.claim->says, judged.claim->where);
      for (const std::string& line : lines_of(judged)) item.below.emplace_back(line);
    }
    document.body.emplace_back(std::move(claims));
  }
  document.summary = {Paragraph{fmt::format("Judged by the records of: {}.", report.machine_text)},
                      Paragraph{fmt::format("{} claims: {}.", total(counts), counted(counts))},
                      grid_of(std::move(columns), std::move(rows))};
  return document;
}

}  // namespace macrobench
