#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/cells/cell.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/claims/claims_verdict.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// A verdict's name, and the class by which a page of HTML colours it; in their order.
struct VerdictDescription {
  const char* name;
  const char* style;
};
constexpr std::array<VerdictDescription, 6> verdicts{
    {{"reproduced", "verdict reproduced"},
     {"contradicted", "verdict contradicted"},
     {"depends on the baseline", "verdict depends"},
     {"undecided", "verdict"},
     {"a fact of their machine", "verdict"},
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
  /// With where each number may be, if asked to.
  EvidenceText(const ClaimTest& test, bool with_intervals) : with_intervals_(with_intervals) {
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
    std::string number = with_unit((*this)(point.value), point.unit);
    if (with_intervals_) {
      number +=
          fmt::format(" ({} to {})", (*this)(point.interval.low), (*this)(point.interval.high));
    }
    if (point.column.empty()) return fmt::format("{} {}", point.of, number);
    return fmt::format("{} at {}{}", number, point.column,
                       point.why.empty() ? "" : fmt::format(" ({})", point.why));
  }

 private:
  /// "extrapolated", "invalid: not converged", "no record".
  static std::string why_not(const SeriesPoint& point) {
    if (point.status == Status::not_run) {
      return point.why.empty() ? "not run" : to_string(point.why);
    }
    if (point.why.empty()) return to_string(point.status);
    if (point.status == Status::extrapolated) return "extrapolated " + point.why.clause;
    return fmt::format("{}: {}", to_string(point.status), point.why.clause);
  }

  bool is_narrow_;
  bool with_intervals_;
};

/// "holds (502 at 4,096; joins two campaigns; ...)".
std::string result_of(const Answer& answer, const ClaimTest& test) {
  const char* result = answer.is_within_noise ? "undecided"
                       : !answer.holds        ? "no verdict"
                       : *answer.holds        ? "holds"
                                              : "does not hold";
  return fmt::format("{} ({}{}{})", result, evidence_text(answer, test),
                     answer.drift.empty() ? "" : "; ", answer.drift);
}

int total(const VerdictCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

ordered_json to_json(const Answer& answer, const ClaimTest& test) {
  const auto json = [](const SeriesPoint& figure) -> ordered_json {
    return {{"of", figure.of},
            {"column", figure.column},
            {"value", to_nine_digits(figure.value)},
            {"low", to_nine_digits(figure.interval.low)},
            {"high", to_nine_digits(figure.interval.high)},
            {"unit", figure.unit},
            {"why", or_null(to_string(figure.why))}};
  };
  return {{"reading", answer.called},
          {"holds", or_null(answer.holds)},
          {"is_within_noise", answer.is_within_noise},
          {"found", evidence_text(answer, test)},
          {"drift", or_null(answer.drift)},
          {"figures", each(answer.figures, json)}};
}

ordered_json json_of(const JudgedClaim& judged) {
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
  if (claim.scaling) {
    test["of"] = {{"implementation", claim.scaling->implementation}, {"axis", claim.scaling->axis}};
    test["count"] = claim.scaling->count;
    if (claim.scaling->seconds > 0) test["seconds"] = claim.scaling->seconds;
  }
  if (claim.admits_extrapolated) test["extrapolated"] = "admitted";
  const auto other = [](const auto& its) -> ordered_json {
    return {{"machine", its.first}, {"verdict", to_string(its.second)}};
  };
  const auto answer = [&](const Answer& its) { return to_json(its, claim.test); };
  return {{"claim", claim.name},
          {"where", claim.where},
          {"quote", or_null(claim.quote)},
          {"kind", claim.is_fact ? "fact" : "law"},
          {"says", claim.says},
          {"quantity", claim.quantity},
          {"test", std::move(test)},
          {"reason", claim.reason},
          {"verdict", to_string(judged.verdict)},
          {"by_model", judged.is_by_model},
          {"why_not", or_null(why_not_text(judged))},
          {"machine", or_null(judged.machine)},
          {"others", each(judged.others, other)},
          {"answers", each(judged.answers, answer)},
          {"in_print", judged.printed ? answer(*judged.printed) : ordered_json()}};
}

/// What is said below a claim, in order: what is asked, and what each reading came to.
std::vector<std::string> lines_of(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  if (judged.answers.empty()) {
    return {fmt::format("Looked for: {}. {}", claim.quantity, claim.reason)};
  }
  std::vector<std::string> lines{fmt::format("Asked: {}. {}", asked(claim), claim.reason)};
  if (claim.cores) lines.back() += fmt::format(" It needs {} cores or more.", *claim.cores);
  if (claim.admits_extrapolated) {
    lines.back() += fmt::format(" Cells extrapolated to up to {:g} times what was measured count.",
                                longest_reach);
  }
  const std::string here = judged.machine.empty() ? "Judged" : "On " + judged.machine;
  for (const Answer& answer : judged.answers) {
    const std::string reading = judged.answers.size() == 1 ? "" : ", " + answer.called;
    lines.push_back(fmt::format(
        "{}{}: {}", here, reading,
        claim.is_fact ? evidence_text(answer, claim.test) : result_of(answer, claim.test)));
  }
  if (!judged.others.empty() && !claim.is_fact) {
    const auto elsewhere = each(judged.others, [](const auto& its) {
      return fmt::format("{} on {}", to_string(its.second), its.first);
    });
    lines.push_back(fmt::format("Elsewhere: {}", fmt::join(elsewhere, ", ")));
  }
  if (judged.printed) {
    lines.push_back("By the paper's own numbers: " + result_of(*judged.printed, claim.test));
  }
  return lines;
}

constexpr const char* our_readings =
    "Our readings of the same tables, which the paper has in no words and are not counted as its "
    "claims:";

/// A claim with its verdict, the paper's words, and what is said below it.
ListItem item_of(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  const std::string quote = claim.is_ours() ? "" : fmt::format("“{}”, ", claim.quote);
  ListItem item;
  item.words = strong(verdict_of(judged), description_of(judged.verdict).style) +
               fmt::format(": {} ({}{})", claim.says, quote, claim.where);
  for (const std::string& line : lines_of(judged)) item.below.emplace_back(line);
  return item;
}

}  // namespace

std::string to_string(ClaimVerdict verdict) {
  return description_of(verdict).name;
}

std::string verdict_of(const JudgedClaim& judged) {
  return to_string(judged.verdict) + (judged.is_by_model ? ", by a model" : "");
}

std::string evidence_text(const Answer& answer, const ClaimTest& test) {
  std::string text;
  const EvidenceText words(test, answer.is_within_noise);
  for (const auto& one : answer.evidence) text += std::visit(words, one);
  return text;
}

std::string why_not_text(const JudgedClaim& judged) {
  if (judged.verdict != ClaimVerdict::not_testable) return "";
  return judged.answers.empty() ? judged.claim->reason
                                : evidence_text(judged.answers.front(), judged.claim->test);
}

std::string counted(const VerdictCounts& counts) {
  return fmt::format(
      "{} reproduced, {} contradicted, {} that depend on the baseline, {} undecided, {} facts of "
      "their machines, {} not testable here",
      counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
}

ordered_json to_json(const ClaimReport& report) {
  const auto counts_of = [&](bool ours) {
    const VerdictCounts counts = count_verdicts(report.papers, ours);
    ordered_json by_name;
    for (std::size_t i = 0; i < counts.size(); ++i) by_name[verdicts[i].name] = counts[i];
    return ordered_json{{"claims", total(counts)}, {"counts", std::move(by_name)}};
  };
  ordered_json json{{"schema", ClaimReport::schema}, {"machine", report.machine}};
  json.update(counts_of(false));
  json["our_readings"] = counts_of(true);
  json["papers"] = each(report.papers, [](const JudgedPaper& its) -> ordered_json {
    return {{"paper", its.paper->paper},
            {"document", its.paper->document},
            {"claims", each(its.claims, json_of)}};
  });
  return json;
}

std::string to_csv(const ClaimReport& report) {
  ordered_json rows = ordered_json::array();
  for (const JudgedPaper& paper : report.papers) {
    for (const JudgedClaim& judged : paper.claims) {
      rows.push_back(json_of(judged));
      rows.back()["paper"] = paper.paper->paper;
    }
  }
  return to_csv({"paper", "claim", "where", "quote", "kind", "says", "quantity", "verdict",
                 "by_model", "why_not", "machine", "reason"},
                rows);
}

Document document_of(const ClaimReport& report) {
  std::vector<Column> columns{{"paper", Column::Kind::words, Column::Place::above}, {"claims"}};
  for (const VerdictDescription& verdict : verdicts) columns.push_back({verdict.name});
  std::vector<Row> rows;
  const auto count = [&](const std::string& what, const VerdictCounts& counts) {
    std::vector<Words>& cells = rows.emplace_back(Row{{what, std::to_string(total(counts))}}).cells;
    for (const int number : counts) cells.emplace_back(std::to_string(number));
  };
  Document document{.title = "The papers' claims"};
  for (const JudgedPaper& paper : report.papers) {
    count(paper.paper->paper, count_verdicts({paper}));
    document.body.emplace_back(Heading{paper.paper->document});
    for (const bool ours : {false, true}) {
      List claims;
      for (const JudgedClaim& judged : paper.claims) {
        if (judged.claim->is_ours() == ours) claims.items.push_back(item_of(judged));
      }
      if (claims.items.empty()) continue;
      if (ours) document.body.emplace_back(Paragraph{our_readings});
      document.body.emplace_back(std::move(claims));
    }
  }
  const VerdictCounts ours = count_verdicts(report.papers, true);
  const VerdictCounts counts = count_verdicts(report.papers);
  count("our readings", ours);
  document.summary = {Paragraph{fmt::format("Judged by the records of: {}.", report.machine_text)},
                      Paragraph{fmt::format("{} claims: {}. Besides, {} readings of ours.",
                                            total(counts), counted(counts), total(ours))},
                      grid_of(std::move(columns), std::move(rows))};
  return document;
}

}  // namespace macrobench
