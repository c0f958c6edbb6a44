#include "paper_tables/claims/claims_render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/text/csv.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/definitions/definitions.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// The test: "Lean CPU over GPU: at least 500, in some column".
std::string asked(const Claim& claim) {
  const ClaimTest& test = claim.test;
  const std::string range = test.range.at_least || test.range.at_most ? to_string(test.range) : "";
  switch (test.kind) {
    case TestKind::within:
      return fmt::format("{}: {}", claim.quantity, range);
    case TestKind::usually:
      return fmt::format("{}: {} in most columns", claim.quantity, range);
    case TestKind::reaches:
      return fmt::format("{}: {} in some column", claim.quantity, range);
    case TestKind::rising:
    case TestKind::falling:
      return fmt::format(
          "{}: {}{}{}", claim.quantity, to_string(test.kind),
          test.times > 1 ? fmt::format(", {:g} times at least from first to last", test.times) : "",
          test.slack > 0 ? fmt::format(", but for steps of up to {:g}%", 100 * test.slack) : "");
    case TestKind::crosses:
      return fmt::format("{}: {}, first at {}", claim.quantity, range,
                         fmt::join(test.first, " or "));
    case TestKind::growth:
      return fmt::format("{}: grows with the power {} of {}", claim.quantity, range,
                         test.over == "work" ? "the work" : test.over);
    case TestKind::spread:
      return fmt::format("{}: largest over smallest {}", claim.quantity, range);
    case TestKind::untestable:
      break;
  }
  return claim.quantity;
}

std::string word_for(const std::optional<bool>& holds) {
  return !holds ? "no verdict" : *holds ? "holds" : "does not hold";
}

/// "as published: holds (502 at 4,096)".
std::string line_of(const Answer& answer) {
  return fmt::format("{}: {} ({})", answer.called, word_for(answer.holds), answer.found);
}

/// By which a page of HTML colours it.
const char* style_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::reproduced:
      return "verdict reproduced";
    case ClaimVerdict::contradicted:
      return "verdict contradicted";
    case ClaimVerdict::depends_on_the_baseline:
      return "verdict depends";
    case ClaimVerdict::not_testable:
      break;
  }
  return "verdict";
}

int total(const std::array<int, 4>& counts) {
  return counts[0] + counts[1] + counts[2] + counts[3];
}

ordered_json to_json(const Range& range) {
  ordered_json json = ordered_json::object();
  if (range.at_least) json["at_least"] = *range.at_least;
  if (range.at_most) json["at_most"] = *range.at_most;
  return json;
}

ordered_json to_json(const Answer& answer) {
  ordered_json figures = ordered_json::array();
  for (const ClaimFigure& figure : answer.figures) {
    figures.push_back(
        {{"of", figure.of}, {"column", figure.column}, {"value", to_nine_digits(figure.value)}});
  }
  return {{"reading", answer.called},
          {"holds", or_null(answer.holds)},
          {"found", answer.found},
          {"figures", std::move(figures)}};
}

ordered_json to_json(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  ordered_json test{{"kind", to_string(claim.test.kind)}};
  if (!claim.test.columns.empty()) test["columns"] = claim.test.columns;
  test.update(to_json(claim.test.range));
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
                    {"why_not", or_null(judged.why_not)},
                    {"answers", ordered_json::array()}};
  for (const Answer& answer : judged.answers) json["answers"].push_back(to_json(answer));
  json["in_print"] = judged.printed ? to_json(*judged.printed) : ordered_json(nullptr);
  return json;
}

/// What is said below a claim, in order: what is asked, and what each reading came to.
std::vector<std::string> lines_of(const JudgedClaim& judged) {
  std::vector<std::string> lines{fmt::format("Asked: {}. {}", asked(*judged.claim),
                                             judged.answers.empty() ? "" : judged.claim->reason)};
  if (judged.claim->cores) {
    lines.back() += fmt::format(" It needs a machine of {} cores.", *judged.claim->cores);
  }
  if (judged.answers.empty()) {
    lines.back() = fmt::format("Looked for: {}. {}", judged.claim->quantity, judged.claim->reason);
  } else if (judged.answers.size() == 1) {
    const Answer& only = judged.answers.front();
    lines.push_back(fmt::format("Here: {} ({})", word_for(only.holds), only.found));
  } else {
    for (const Answer& answer : judged.answers) lines.push_back("Here, " + line_of(answer));
  }
  if (judged.printed) {
    lines.push_back(fmt::format("By the paper's own numbers: {} ({})",
                                word_for(judged.printed->holds), judged.printed->found));
  }
  return lines;
}

}  // namespace

std::string counted(const std::array<int, 4>& counts) {
  return fmt::format(
      "{} reproduced, {} contradicted, {} that depend on the baseline, {} not testable here",
      counts[0], counts[1], counts[2], counts[3]);
}

std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine) {
  const int cores = machine.block.contains("cpu") ? machine.cores() : 0;
  const CellsOf measured = measured_cells(all, lookup, machine);
  const CellsOf printed = printed_cells(all);
  std::vector<JudgedPaper> judged;
  for (const PaperClaims& paper : papers) {
    judged.push_back({&paper, {}});
    for (const Claim& claim : paper.claims) {
      judged.back().claims.push_back(judge(claim, measured, printed, cores));
    }
  }
  return judged;
}

std::array<int, 4> count_verdicts(const std::vector<JudgedPaper>& papers) {
  std::array<int, 4> counts{};
  for (const JudgedPaper& paper : papers) {
    for (const JudgedClaim& judged : paper.claims) {
      const auto* const at = std::ranges::find(claim_verdicts, judged.verdict);
      ++counts[static_cast<std::size_t>(at - claim_verdicts.begin())];
    }
  }
  return counts;
}

ordered_json to_json(const ClaimReport& report) {
  const std::array<int, 4> counts = count_verdicts(report.papers);
  ordered_json json{{"schema", ClaimReport::schema},
                    {"machine", report.machine},
                    {"claims", total(counts)},
                    {"counts", ordered_json::object()},
                    {"papers", ordered_json::array()}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json["counts"][to_string(claim_verdicts[i])] = counts[i];
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
  const std::array<int, 4> counts = count_verdicts(report.papers);
  std::vector<Column> columns{{"paper", Column::Kind::words}, {"claims"}};
  for (const ClaimVerdict verdict : claim_verdicts) columns.push_back({to_string(verdict)});
  std::vector<Row> rows;
  Document document{.title = "The papers' claims"};
  for (const JudgedPaper& paper : report.papers) {
    const std::array<int, 4> own = count_verdicts({paper});
    std::vector<Words>& cells =
        rows.emplace_back(Row{{paper.paper->paper, std::to_string(total(own))}}).cells;
    for (const int count : own) cells.emplace_back(std::to_string(count));
    document.body.emplace_back(Heading{paper.paper->document});
    List claims;
    for (const JudgedClaim& judged : paper.claims) {
      ListItem& item = claims.items.emplace_back();
      item.words = strong(to_string(judged.verdict), style_of(judged.verdict)) +
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
