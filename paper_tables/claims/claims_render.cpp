#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>

#include "harness/numbers/noise.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/claims/claims_verdict.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

/// A verdict's name, and the class by which a page of HTML colors it; in their order.
struct VerdictDescription {
  const char* name;
  const char* style;
};
constexpr std::array<VerdictDescription, counted_verdicts + 3> verdicts{
    {{"holds", "verdict reproduced"},
     {"does not hold", "verdict contradicted"},
     {"depends on the baseline", "verdict depends"},
     {"undecided", "verdict"},
     {"not testable here", "verdict"},
     {"a fact of their machine", "verdict"},
     {"an erratum of the paper", "verdict contradicted"},
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
constexpr std::array<DecisionDescription, 4> decisions{{{"holds", 'T', "{} hold"},
                                                        {"fails", 'F', "{} fail"},
                                                        {"open", 'U', "{} open"},
                                                        {"absent", '-', "{} without evidence"}}};
constexpr const char* legend =
    "Each reading has a letter: T it holds, F it does not, U a bound is within the interval, - no "
    "evidence.";

/// "1 hold, 1 open".
std::string text_of(const DecisionCounts& counts) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts.at(i) == 0) continue;
    told.push_back(fmt::format(fmt::runtime(decisions.at(i).told), counts.at(i)));
  }
  return fmt::format("{}", fmt::join(told, ", "));
}

/// "Readings: T as published, F against tuned C++." Empty for a single decision, which the verdict
/// says.
std::string readings_text(const JudgedTest& judged) {
  const std::vector<Decision> all = decisions_of(judged);
  if (all.size() < 2) return "";
  std::vector<std::string> told;
  for (std::size_t i = 0; i < all.size(); ++i) {
    told.push_back(fmt::format("{} {}", decisions.at(static_cast<std::size_t>(all[i])).letter,
                               judged.answers[i].called));
  }
  return fmt::format("Readings: {}", fmt::join(told, "; "));
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
    std::string number = with_unit((*this)(point.value), point.cell.unit);
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
    if (point.kind == Kind::extrapolated) return to_string(point.kind);
    if (point.why.empty()) return to_string(point.status);
    return fmt::format("{}: {}", to_string(point.status), point.why.clause);
  }

  bool is_narrow_;
  bool with_intervals_;
};

/// "holds (502 at 4,096; ...)".
std::string result_of(const Answer& answer, const ClaimTest& test) {
  const char* result = answer.is_within_noise ? "undecided"
                       : !answer.holds        ? "no verdict"
                       : *answer.holds        ? "holds"
                                              : "does not hold";
  return fmt::format("{} ({})", result, evidence_text(answer, test));
}

/// A claim's direction or size; neither of a claim without tests.
struct TestedPart {
  const JudgedPaper* paper;
  const JudgedClaim* judged;
  std::string part = {};
  const JudgedTest* test = nullptr;
  std::optional<DecisionCounts> counts = {};

  [[nodiscard]] const Claim& claim() const { return *judged->claim; }
};

std::vector<TestedPart> rows_of(const ClaimReport& report) {
  std::vector<TestedPart> rows;
  for (const JudgedPaper& paper : report.papers) {
    for (const JudgedClaim& judged : paper.claims) {
      for (const auto& [name, part] : parts) {
        const std::optional<JudgedTest>& test = judged.*part;
        if (!test) continue;
        rows.push_back({&paper, &judged, name, &*test, count_decisions(decisions_of(*test))});
      }
      if (!judged.direction && !judged.size) rows.push_back({&paper, &judged});
    }
  }
  return rows;
}

Sheet claims_of(const std::vector<TestedPart>& rows) {
  using One = TestedPart;
  SheetOf<One> sheet("claims", {"paper", "claim", "part"});
  sheet.data("paper", [](const One& one) { return one.paper->paper->paper; })
      .data("claim", [](const One& one) { return one.claim().name; })
      .data("part", &One::part)
      .data("where", [](const One& one) { return one.claim().where; })
      .data("quote", [](const One& one) { return one.claim().quote; })
      .data(
          "kind",
          [](const One& one) { return claim_kinds.at(static_cast<std::size_t>(one.claim().kind)); })
      .data("says", [](const One& one) { return one.claim().says; })
      .data("quantity", [](const One& one) { return one.claim().quantity; })
      .data("verdict",
            [](const One& one) {
              return one.test == nullptr ? verdict_of(*one.judged) : to_string(one.test->verdict);
            })
      .data("why_not",
            [](const One& one) { return one.test == nullptr ? "" : why_not_text(*one.test); });
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    sheet.data(decisions.at(i).name,
               through(&One::counts, [i](const DecisionCounts& counts) { return counts.at(i); }));
  }
  const auto of_test = [](auto get) {
    return [=](const One& one) {
      using Value = std::decay_t<std::invoke_result_t<decltype(get), const ClaimTest&>>;
      return one.test == nullptr ? Value() : std::invoke(get, *one.test->test);
    };
  };
  return sheet
      .data("test", of_test([](const ClaimTest& its) {
              return std::string(description_of(its.kind).name);
            }))
      .data("at_least", of_test([](const ClaimTest& its) { return its.range.at_least; }))
      .data("at_most", of_test([](const ClaimTest& its) { return its.range.at_most; }))
      .data("columns", of_test([](const ClaimTest& its) {
              return fmt::format("{}", fmt::join(its.columns, "; "));
            }))
      .data("columns_why", of_test(&ClaimTest::columns_why))
      .data("reason",
            [](const One& one) {
              return one.test == nullptr ? one.claim().reason : one.test->test->reason;
            })
      .of(rows);
}

/// A reading's answer, here or by the printed numbers.
struct AnswerRow {
  const TestedPart* of;
  const char* by;  ///< "here" or "printed"
  const Answer* answer;
};

std::vector<AnswerRow> answers_in(const std::vector<TestedPart>& rows) {
  std::vector<AnswerRow> answers;
  for (const TestedPart& row : rows) {
    if (row.test == nullptr) continue;
    for (const Answer& answer : row.test->answers) answers.push_back({&row, "here", &answer});
    if (row.test->printed) answers.push_back({&row, "printed", &*row.test->printed});
  }
  return answers;
}

/// With the columns that name an answer.
template <class One, class Get>
SheetOf<One> sheet_by_answer(const char* name, std::vector<std::string> more_keys, Get answer_of) {
  std::vector<std::string> keys{"paper", "claim", "part", "reading", "by"};
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  SheetOf<One> sheet(name, std::move(keys));
  const auto add = [&](const char* column, auto get) {
    sheet.data(column, [=](const One& one) { return get(answer_of(one)); });
  };
  add("paper", [](const AnswerRow& one) { return one.of->paper->paper->paper; });
  add("claim", [](const AnswerRow& one) { return one.of->claim().name; });
  add("part", [](const AnswerRow& one) { return one.of->part; });
  add("reading", [](const AnswerRow& one) { return one.answer->called; });
  add("by", [](const AnswerRow& one) { return one.by; });
  return sheet;
}

Sheet answers_of(const std::vector<AnswerRow>& answers) {
  using One = AnswerRow;
  return sheet_by_answer<One>("answers", {}, [](const One& one) { return one; })
      .data("decision",
            [](const One& one) {
              return decisions.at(static_cast<std::size_t>(one.answer->decision())).name;
            })
      .data("found", [](const One& one) { return evidence_text(*one.answer, *one.of->test->test); })
      .of(answers);
}

/// A number that was tested.
struct FigureRow {
  AnswerRow answer;
  const SeriesPoint* point;
};

Sheet figures_of(const std::vector<AnswerRow>& answers) {
  using One = FigureRow;
  return sheet_by_answer<One>("figures", {"of", "column"},
                              [](const One& one) { return one.answer; })
      .data("of", [](const One& one) { return one.point->of; })
      .data("column", [](const One& one) { return one.point->column; })
      .data("value",
            [](const One& one) {
              Cell cell = one.point->cell;
              cell.value = one.point->value;
              cell.interval = one.point->interval;
              return cell;
            })
      .data("rests_on", [](const One& one) { return to_string(one.point->kind); })
      .data("stands_in", [](const One& one) { return to_string(one.point->why); })
      .of(rows_below<One>(answers,
                          [](const AnswerRow& one) -> const auto& { return one.answer->figures; }));
}

/// The number of verdicts of each kind on a paper's directions or sizes.
struct CountRow {
  std::string of;
  const char* part;
  VerdictCounts counts;
};

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
  if (const std::string readings = readings_text(judged); !readings.empty()) {
    lines.push_back(readings + ".");
  }
  for (const Answer& answer : judged.answers) {
    const std::string reading = judged.answers.size() == 1 ? "" : ", " + answer.called;
    lines.push_back(
        fmt::format("Judged{}: {}", reading,
                    claim.is_law() ? result_of(answer, test) : evidence_text(answer, test)));
  }
  if (judged.printed) {
    lines.push_back("By the paper's own numbers: " + result_of(*judged.printed, test));
  }
  return lines;
}

constexpr const char* all_papers = "all papers";
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
  if (!judged.claim->is_law()) return to_string(verdict_by(judged.claim->kind));
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
    return text_of(count_decisions(decisions_of(judged)));
  }
  if (judged.verdict != ClaimVerdict::not_testable) return "";
  return judged.answers.empty() ? judged.test->reason
                                : evidence_text(judged.answers.front(), *judged.test);
}

std::string counted(const ClaimCounts& counts) {
  const auto of = [](const char* what, const VerdictCounts& its) {
    return fmt::format(
        "of {} {} {} hold, {} do not, {} depend on the baseline, {} are undecided, {} not testable "
        "here",
        total(its), what, its[0], its[1], its[2], its[3], its[4]);
  };
  return fmt::format("{}; {}", of("directions", counts.directions), of("sizes", counts.sizes));
}

Sheet sheet_of_counts(const std::vector<JudgedPaper>& papers) {
  using One = CountRow;
  std::vector<One> rows;
  const auto add = [&](const std::string& of, const ClaimCounts& counts) {
    rows.push_back({of, "direction", counts.directions});
    rows.push_back({of, "size", counts.sizes});
  };
  for (const JudgedPaper& paper : papers) add(paper.paper->paper, count_verdicts({paper}));
  add(all_papers, count_verdicts(papers));
  add("our readings", count_verdicts(papers, true));
  SheetOf<One> sheet("counts", {"of", "part"});
  sheet.column("of", {"paper", words, Column::Place::above}, &One::of)
      .column("part", {"", words}, &One::part)
      .column("tests", {"tests"}, [](const One& one) { return total(one.counts); });
  for (std::size_t i = 0; i < counted_verdicts; ++i) {
    const std::string title = verdicts.at(i).name;
    std::string name = title;
    replace_all(name, " ", "_");
    sheet.column(name, {title}, [i](const One& one) { return one.counts.at(i); });
  }
  return sheet.of(rows);
}

std::vector<Sheet> sheets_of(const ClaimReport& report) {
  const std::vector<TestedPart> rows = rows_of(report);
  const std::vector<AnswerRow> answers = answers_in(rows);
  return {claims_of(rows), answers_of(answers), figures_of(answers), sheet_of_counts(report.papers),
          sheet_of_machine(report.machine, report.machine_text)};
}

Document document_of(const ClaimReport& report) {
  Document document{.title = "The papers' claims"};
  for (const JudgedPaper& paper : report.papers) {
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
  document.summary = {
      Paragraph{fmt::format("Judged by the records of: {}. {} {}", report.machine_text, legend,
                            about_noise())},
      Paragraph{
          fmt::format("{} claims: {}. Apart from these, {} are facts of their machines, {} are "
                      "errata, which the paper's own numbers contradict, and {} say nothing "
                      "that can be tested. Besides, {} readings of ours.",
                      counts.claims, counted(counts), counts.of(ClaimKind::fact),
                      counts.of(ClaimKind::erratum), counts.of(ClaimKind::vacuous), ours.claims)}};
  append(document.summary, blocks_of(sheet_of_counts(report.papers)));
  return document;
}

}  // namespace macrobench
