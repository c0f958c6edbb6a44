#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/text/csv.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/claims/claims_verdict.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// A verdict's name, and the class by which a page of HTML colors it; in their order.
struct VerdictDescription {
  const char* name;
  const char* style;
};
constexpr std::array<VerdictDescription, counted_verdicts + 2> verdicts{
    {{"holds", "verdict reproduced"},
     {"does not hold", "verdict contradicted"},
     {"depends on the baseline", "verdict depends"},
     {"differs by machine", "verdict depends"},
     {"differs by machine and baseline", "verdict depends"},
     {"undecided", "verdict"},
     {"not testable here", "verdict"},
     {"a fact of their machine", "verdict"},
     {"nothing to test", "verdict"}}};

/// The parts of a claim that are tested.
constexpr std::array<std::pair<const char*, std::optional<JudgedTest> JudgedClaim::*>, 2> parts{
    {{"direction", &JudgedClaim::direction}, {"size", &JudgedClaim::size}}};

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

/// A decision's name in JSON and CSV, its letter, and the words for a number of them.
struct DecisionDescription {
  const char* name;
  char letter;
  const char* told;
};
constexpr std::array<DecisionDescription, 4> decisions{{{"holds", 'T', "holds on {}"},
                                                        {"fails", 'F', "fails on {}"},
                                                        {"open", 'U', "open on {}"},
                                                        {"absent", '-', ""}}};
constexpr const char* legend =
    "In a grid each reading has a letter per machine, in this order: T it holds, F it does not, "
    "U a bound is within the interval, - no evidence.";

/// "TTU-", a letter per machine.
std::string letters_of(const std::vector<Decision>& reading) {
  std::string letters;
  for (const Decision decision : reading) {
    letters += decisions.at(static_cast<std::size_t>(decision)).letter;
  }
  return letters;
}

/// "holds on 3, open on 1", without those that are absent.
std::string text_of(const DecisionCounts& counts) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    if (counts.at(i) > 0)
      told.push_back(fmt::format(fmt::runtime(decisions.at(i).told), counts.at(i)));
  }
  return fmt::format("{}", fmt::join(told, ", "));
}

/// "Grid: TTU- as published, TT-- against tuned C++." Empty for a single decision, which the
/// verdict says.
std::string grid_text(const JudgedTest& judged) {
  const DecisionGrid grid = grid_of(judged);
  if (grid.empty() || (grid.size() == 1 && grid.front().size() == 1)) return "";
  std::vector<std::string> told;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    told.push_back(letters_of(grid[i]) + " " + judged.machines.front().answers[i].called);
  }
  return fmt::format("Grid: {}", fmt::join(told, "; "));
}

/// The numbers of its decisions, by their names.
ordered_json json_of(const DecisionCounts& counts) {
  ordered_json json;
  for (std::size_t i = 0; i < counts.size(); ++i) json[decisions.at(i).name] = counts.at(i);
  return json;
}

/// The test: "Tuned CPU over GPU: at least 500 in some column".
std::string asked(const Claim& claim, const ClaimTest& test) {
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
    if (point.kind == Kind::none && point.status == Status::not_run) {
      return point.why.empty() ? "not run" : to_string(point.why);
    }
    if (point.kind == Kind::extrapolated) {
      return point.why.empty() ? "extrapolated" : "extrapolated " + point.why.clause;
    }
    if (point.why.empty()) return to_string(point.status);
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

ordered_json json_of(const JudgedTest& judged) {
  const ClaimTest& test = *judged.test;
  ordered_json made{{"kind", description_of(test.kind).name}};
  if (!test.columns.empty()) made["columns"] = test.columns;
  if (!test.columns_why.empty()) made["columns_why"] = test.columns_why;
  if (test.range.at_least) made["at_least"] = *test.range.at_least;
  if (test.range.at_most) made["at_most"] = *test.range.at_most;
  if (test.one_sided) {
    made["one_sided"] = {{"words", test.one_sided->words}, {"where", test.one_sided->where}};
  }
  if (test.slack > 0) made["slack"] = test.slack;
  if (test.times > 1) made["times"] = test.times;
  if (!test.first.empty()) made["first"] = test.first;
  if (!test.over.empty()) made["over"] = test.over;
  made["reason"] = test.reason;
  const auto answer = [&](const Answer& its) { return to_json(its, test); };
  const auto machine = [&](const MachineAnswers& its) -> ordered_json {
    return {{"machine", or_null(its.machine)},
            {"verdict", to_string(its.verdict)},
            {"answers", each(its.answers, answer)}};
  };
  ordered_json json{{"test", std::move(made)},
                    {"verdict", to_string(judged.verdict)},
                    {"why_not", or_null(why_not_text(judged))}};
  const DecisionGrid grid = grid_of(judged);
  json.update(json_of(count_decisions(grid)));
  json["grid"] = each(grid, letters_of);
  json["machines"] = each(judged.machines, machine);
  json["in_print"] = judged.printed ? answer(*judged.printed) : ordered_json();
  return json;
}

/// All but its tests.
ordered_json words_of(const Claim& claim) {
  const char* kind = claim.is_law() ? "law" : claim.kind == ClaimKind::fact ? "fact" : "vacuous";
  return {{"claim", claim.name}, {"where", claim.where}, {"quote", or_null(claim.quote)},
          {"kind", kind},        {"says", claim.says},   {"quantity", claim.quantity}};
}

ordered_json json_of(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  ordered_json json = words_of(claim);
  json["reason"] = or_null(claim.reason);
  if (claim.cores) json["cores"] = *claim.cores;
  if (claim.admits_extrapolated) json["extrapolated"] = "admitted";
  for (const auto& [name, part] : parts) {
    json[name] = judged.*part ? json_of(*(judged.*part)) : ordered_json();
  }
  return json;
}

/// What is said of a test, in order: what is asked, and what each reading came to.
std::vector<std::string> lines_of(const Claim& claim, const std::string& part,
                                  const JudgedTest& judged) {
  const ClaimTest& test = *judged.test;
  if (test.kind == TestKind::untestable) {
    return {fmt::format("{}: {}. {}", part, claim.quantity, test.reason)};
  }
  std::vector<std::string> lines{fmt::format("{}: {}. {}", part, asked(claim, test), test.reason)};
  if (!test.columns_why.empty()) {
    lines.back() += fmt::format(" Only at {}, by its words: “{}”.", fmt::join(test.columns, "; "),
                                test.columns_why);
  }
  if (test.one_sided) {
    lines.back() += fmt::format(" One-sided by its words: “{}” ({}).", test.one_sided->words,
                                test.one_sided->where);
  }
  if (claim.cores) lines.back() += fmt::format(" It needs {} cores or more.", *claim.cores);
  if (claim.admits_extrapolated) {
    lines.back() += fmt::format(" Cells extrapolated to up to {:g} times what was measured count.",
                                longest_reach);
  }
  if (const std::string grid = grid_text(judged); claim.is_law() && !grid.empty()) {
    lines.push_back(grid + ".");
  }
  std::vector<std::string> elsewhere;
  const auto [holding, failing, open, absent] = count_decisions(grid_of(judged));
  // One machine that has both sides shows them.
  const bool has_sides =
      holding > 0 && failing > 0 && judged.verdict != ClaimVerdict::depends_on_the_baseline;
  for (const MachineAnswers& its : judged.machines) {
    const bool is_first = &its == &judged.machines.front();
    const bool is_a_side = has_sides && std::ranges::any_of(its.answers, &Answer::decides);
    if (!is_first && !is_a_side) {
      elsewhere.push_back(fmt::format("{} on {}", to_string(its.verdict), its.machine));
      continue;
    }
    const std::string here = its.machine.empty() ? "Judged" : "On " + its.machine;
    for (const Answer& answer : its.answers) {
      const std::string reading = its.answers.size() == 1 ? "" : ", " + answer.called;
      lines.push_back(
          fmt::format("{}{}: {}", here, reading,
                      claim.is_law() ? result_of(answer, test) : evidence_text(answer, test)));
    }
  }
  if (!elsewhere.empty() && claim.is_law()) {
    lines.push_back(fmt::format("Elsewhere: {}", fmt::join(elsewhere, ", ")));
  }
  if (judged.printed) {
    lines.push_back("By the paper's own numbers: " + result_of(*judged.printed, test));
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
  if (!claim.is_law()) item.words = strong(verdict_of(judged), "verdict");
  if (!claim.reason.empty()) item.below.emplace_back(claim.reason);
  for (const auto& [name, part] : parts) {
    if (!(judged.*part)) continue;
    const JudgedTest& test = *(judged.*part);
    if (claim.is_law()) {
      item.words = std::move(item.words) + (item.words.empty() ? "" : ", ") +
                   strong(fmt::format("{} {}{}", name, to_string(test.verdict),
                                      test.verdict == ClaimVerdict::undecided
                                          ? fmt::format(" ({})", why_not_text(test))
                                          : ""),
                          description_of(test.verdict).style);
    }
    std::string title = name;
    title.front() = static_cast<char>(std::toupper(title.front()));
    for (const std::string& line : lines_of(claim, title, test)) item.below.emplace_back(line);
  }
  item.words = std::move(item.words) + fmt::format(": {} ({}{})", claim.says, quote, claim.where);
  return item;
}

}  // namespace

std::string to_string(ClaimVerdict verdict) {
  return description_of(verdict).name;
}

std::string verdict_of(const JudgedClaim& judged) {
  if (judged.claim->kind == ClaimKind::fact) return to_string(ClaimVerdict::fact);
  if (judged.claim->kind == ClaimKind::vacuous) return to_string(ClaimVerdict::vacuous);
  std::vector<std::string> of;
  for (const auto& [name, part] : parts) {
    if (judged.*part) of.push_back(fmt::format("{} {}", name, to_string((judged.*part)->verdict)));
  }
  return fmt::format("{}", fmt::join(of, ", "));
}

std::string evidence_text(const Answer& answer, const ClaimTest& test) {
  std::string text;
  const EvidenceText words(test, answer.is_within_noise);
  for (const auto& one : answer.evidence) text += std::visit(words, one);
  return text;
}

std::string why_not_text(const JudgedTest& judged) {
  if (judged.verdict == ClaimVerdict::undecided) {
    const DecisionCounts counts = count_decisions(grid_of(judged));
    return (counts[0] > 0 && counts[1] > 0 ? "not separable: " : "") + text_of(counts);
  }
  if (judged.verdict != ClaimVerdict::not_testable) return "";
  const std::vector<Answer>& answers = judged.machines.front().answers;
  return answers.empty() ? judged.test->reason : evidence_text(answers.front(), *judged.test);
}

std::string counted(const ClaimCounts& counts) {
  const auto of = [](const char* what, const VerdictCounts& its) {
    return fmt::format(
        "of {} {} {} hold, {} do not, {} depend on the baseline, {} differ by machine, {} by "
        "machine and baseline, {} are undecided, {} not testable here",
        total(its), what, its[0], its[1], its[2], its[3], its[4], its[5], its[6]);
  };
  return fmt::format("{}; {}", of("directions", counts.directions), of("sizes", counts.sizes));
}

ordered_json to_json(const ClaimCounts& counts) {
  const auto by_name = [](const VerdictCounts& its) {
    ordered_json json{{"tests", total(its)}};
    for (std::size_t i = 0; i < its.size(); ++i) json[verdicts[i].name] = its[i];
    return json;
  };
  return {{"claims", counts.claims},
          {"facts", counts.facts},
          {"vacuous", counts.vacuous},
          {"directions", by_name(counts.directions)},
          {"sizes", by_name(counts.sizes)}};
}

ordered_json to_json(const ClaimReport& report) {
  ordered_json json{{"schema", ClaimReport::schema}, {"machine", report.machine}};
  json.update(to_json(count_verdicts(report.papers)));
  json["our_readings"] = to_json(count_verdicts(report.papers, true));
  json["papers"] = each(report.papers, [](const JudgedPaper& its) -> ordered_json {
    return {{"paper", its.paper->paper},
            {"document", its.paper->document},
            {"claims", each(its.claims, [](const JudgedClaim& claim) { return json_of(claim); })}};
  });
  return json;
}

std::string to_csv(const ClaimReport& report) {
  ordered_json rows = ordered_json::array();
  for (const JudgedPaper& paper : report.papers) {
    for (const JudgedClaim& judged : paper.claims) {
      const auto add = [&](const ordered_json& more) {
        ordered_json& row = rows.emplace_back(words_of(*judged.claim));
        row["paper"] = paper.paper->paper;
        row.update(more);
      };
      for (const auto& [name, part] : parts) {
        if (!(judged.*part)) continue;
        const JudgedTest& test = *(judged.*part);
        ordered_json row{{"test", name},
                         {"verdict", to_string(test.verdict)},
                         {"why_not", or_null(why_not_text(test))},
                         {"machine", or_null(test.machines.front().machine)},
                         {"reason", test.test->reason}};
        row.update(json_of(count_decisions(grid_of(test))));
        add(std::move(row));
      }
      if (judged.direction || judged.size) continue;
      add({{"verdict", verdict_of(judged)}, {"reason", judged.claim->reason}});
    }
  }
  return to_csv({"paper", "claim", "where", "quote", "kind", "says", "quantity", "test", "verdict",
                 "why_not", "holds", "fails", "open", "absent", "machine", "reason"},
                rows);
}

Document document_of(const ClaimReport& report) {
  std::vector<Column> columns{
      {"paper", Column::Kind::words, Column::Place::above}, {"", Column::Kind::words}, {"tests"}};
  for (std::size_t i = 0; i < counted_verdicts; ++i) {
    const bool is_both =
        ClaimVerdict{static_cast<int>(i)} == ClaimVerdict::differs_by_machine_and_baseline;
    columns.push_back({is_both ? "both" : verdicts[i].name});  // beside the two
  }
  std::vector<Row> rows;
  const auto count = [&](const std::string& what, const ClaimCounts& counts) {
    for (const auto& [part, its] :
         {std::pair{"direction", &counts.directions}, {"size", &counts.sizes}}) {
      std::vector<Words>& cells =
          rows.emplace_back(Row{{what, part, std::to_string(total(*its))}}).cells;
      for (const int number : *its) cells.emplace_back(std::to_string(number));
    }
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
  const ClaimCounts ours = count_verdicts(report.papers, true);
  const ClaimCounts counts = count_verdicts(report.papers);
  count("our readings", ours);
  document.summary = {
      Paragraph{fmt::format("Judged by the records of: {}. {}", report.machine_text, legend)},
      Paragraph{fmt::format("{} claims: {}. Apart from these, {} are facts of "
                            "their machines, and {} say nothing that "
                            "can be tested. Besides, {} readings of ours.",
                            counts.claims, counted(counts), counts.facts, counts.vacuous,
                            ours.claims)},
      grid_of(std::move(columns), std::move(rows))};
  return document;
}

}  // namespace macrobench
