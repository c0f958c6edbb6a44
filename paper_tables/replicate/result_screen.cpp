#include "paper_tables/replicate/result_screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/records/doubt.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/replicate/unreached.hpp"

namespace macrobench {

namespace {

/// Cases of one kind: how many, and one of them.
struct Group {
  int count = 0;
  std::string example = {};
};
/// By what they have in common.
using Groups = std::map<std::string, Group>;

/// The most frequent first.
std::vector<std::pair<std::string, Group>> by_frequency(const Groups& groups) {
  std::vector<std::pair<std::string, Group>> all(groups.begin(), groups.end());
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const auto& entry) { return entry.second.count; });
  return all;
}

std::string counted_cases(int count) {
  return fmt::format("{} case{}", with_separators(count), count == 1 ? "" : "s");
}

/// The cases of a replication by what became of them.
struct Tally {
  int solved = 0, kept = 0, known_invalid = 0;
  DoubtedTimes times;
  Groups wrong, noisy, doubted;  ///< of a noisy or throttled time only the result is believed

  void add(Groups& groups, const std::string& what, const std::string& key) {
    Group& group = groups[what];
    if (++group.count == 1) group.example = key;
  }

  explicit Tally(const Replication& replication) {
    for (const ScheduledCase& one : replication.cases) {
      if (one.record) add_record(one);
    }
  }

 private:
  void add_record(const ScheduledCase& one) {
    const Record& record = *one.record;
    kept += one.reused ? 1 : 0;
    times.add(record.status);
    if (is_result_believed(record.status)) ++solved;
    if (record.status == Status::measured) return;
    if (record.expected_invalid) {
      ++known_invalid;
      return;
    }
    Groups& groups = is_result_believed(record.status) ? noisy
                     : is_doubted(record.status)       ? doubted
                                                       : wrong;
    add(groups, fmt::format("{}: {}", to_string(record.status), record.why.clause), record.key);
  }
};

/// "4 cases (invalid: not converged: rbc/serial nk=16 …), ...": each kind once.
std::string kinds_in(const Groups& groups) {
  constexpr std::size_t most = 3;
  std::vector<std::string> kinds;
  for (const auto& [what, group] : by_frequency(groups)) {
    if (kinds.size() == most) {
      kinds.emplace_back("and other reasons");
      break;
    }
    kinds.push_back(
        fmt::format("{} ({}{})", counted_cases(group.count), what,
                    group.count == 1 ? "; " + group.example : "; the first is " + group.example));
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string sentence_on_claims(const std::vector<JudgedPaper>& papers) {
  const ClaimCounts counts = count_verdicts(papers);
  const auto testable = [](const VerdictCounts& its) {
    return total(its) - its[static_cast<std::size_t>(ClaimVerdict::not_testable)];
  };
  if (testable(counts.directions) + testable(counts.sizes) == 0) {
    return fmt::format("None of {} in the papers can be tested with these results.", counts.claims);
  }
  return fmt::format("{} in the papers: {}.", counts.claims, counted(counts));
}

bool is_over_budget(const Unreached& unreached) {
  return unreached.in_a_minute + unreached.in_an_hour + unreached.in_a_day + unreached.beyond +
             unreached.unknown >
         0;
}

/// By how long each would take.
std::string sentence_on(const Unreached& unreached) {
  std::vector<std::string> phrases;
  const auto add = [&](int count, const char* of) {
    if (count > 0) phrases.push_back(counted_cases(count) + " " + of);
  };
  add(unreached.in_a_minute, "of under a minute each");
  add(unreached.in_an_hour, "of under an hour each");
  add(unreached.in_a_day, "of under a day each");
  add(unreached.beyond, "of more than a day each, which is extrapolated");
  add(unreached.unknown, "without a prediction yet");
  return fmt::format("{}.", fmt::join(phrases, "; "));
}

List findings_of(const Replication& replication, const Tally& tally, const Unreached& unreached) {
  List list;
  const auto add = [&](const char* what, const char* kind, const std::string& text) {
    list.items.push_back({strong(what, kind) + ": " + text});
  };
  if (!replication.claims.empty()) {
    add("Claims", "", sentence_on_claims(replication.claims));
  }
  add("Solved", "measured",
      fmt::format("{}, {} of them kept from before.", counted_cases(tally.solved), tally.kept));
  if (!tally.noisy.empty()) {
    add("Times not believed", "invalid",
        fmt::format("{}. They are solved, but {}. The same command again, when the machine is "
                    "quiet, measures {}.",
                    kinds_in(tally.noisy), to_string(tally.times),
                    is_over_budget(unreached) ? "them again, and more" : "only them again"));
  }
  if (!tally.wrong.empty()) add("Wrong", "invalid", kinds_in(tally.wrong) + ".");
  if (tally.known_invalid > 0) {
    add("Invalid as published", "invalid",
        fmt::format("{}, a finding of the papers' programs.", counted_cases(tally.known_invalid)));
  }
  if (!tally.doubted.empty()) {
    add("Doubtful", "invalid", kinds_in(tally.doubted) + "; the next run measures them again.");
  }
  std::vector<std::string> reasons;
  for (const NotRun& group : not_run_by_reason(replication.cases, replication.left_out)) {
    reasons.push_back(fmt::format("{} {}", with_separators(group.cases), group.why));
  }
  if (!reasons.empty()) add("Not run", "", fmt::format("{}.", fmt::join(reasons, "; ")));
  if (is_over_budget(unreached)) add("Over the budget", "", sentence_on(unreached));
  if (!replication.tables_folder.empty()) {
    add("Tables", "", replication.tables_folder + ", as Markdown, LaTeX, CSV and JSON.");
  }
  if (!replication.report.empty()) {
    add("Report", "", replication.report + ", all of it on one page, with figures.");
  }
  for (const std::string& why : replication.not_written) add("Not written", "invalid", why + ".");
  return list;
}

/// A command to type next, and what it brings.
struct NextCommand {
  std::string command, what;
};

/// The commands that measure more: the first is the one that helps most.
std::vector<NextCommand> commands_of(const Replication& replication, const Tally& tally,
                                     const Unreached& unreached) {
  std::vector<NextCommand> commands;
  const auto add = [&](const std::string& command, const std::string& what) {
    commands.push_back({"macrobench " + command, what});
  };
  if (!tally.noisy.empty()) {
    const std::string budget =
        std::isinf(replication.budget) ? "none" : written_duration(replication.budget);
    add(fmt::format("replicate --budget {}{}", budget, replication.replicate_arguments),
        "when the machine is quiet: the noisy times again");
  }
  for (const LongerBudget& longer : unreached.budgets) {
    add(fmt::format("replicate --budget {}{}{}", written_duration(longer.seconds),
                    longer.needs_deadline ? " --deadline 1h" : "", replication.replicate_arguments),
        longer.printed_cells > 0
            ? fmt::format("about {} more of the papers' numbers", longer.printed_cells)
            : "about " + counted_cases(longer.cases) + " more");
  }
  if (unreached.unknown > 0 && unreached.budgets.empty()) {
    constexpr double least = 300;
    add(fmt::format("replicate --budget {}{}",
                    written_duration(std::max(least, 2 * replication.budget)),
                    replication.replicate_arguments),
        "what has no prediction yet");
  }
  if (!is_over_budget(unreached) && !tally.doubted.empty()) {
    add("replicate" + replication.replicate_arguments, "measures again what is doubtful");
  }
  return commands;
}

NextCommand report_command(const Replication& replication) {
  return {"macrobench report --open" + replication.view_arguments, "the report, in a browser"};
}

Grid grid_of(const std::vector<NextCommand>& commands) {
  using enum Column::Kind;
  return grid_of({{"next", words}, {"", words}}, each(commands, [](const NextCommand& next) {
                   return Row{{next.command, next.what}};
                 }));
}

/// One line: how many times or results are not to be believed; empty if all are.
std::string sentence_on_doubts(const Tally& tally) {
  const auto count = [](const Groups& groups) {
    int sum = 0;
    for (const auto& [what, group] : groups) sum += group.count;
    return sum;
  };
  std::vector<std::string> parts;
  if (!tally.wrong.empty())
    parts.push_back(fmt::format("{} wrong", counted_cases(count(tally.wrong))));
  if (!tally.noisy.empty()) {
    parts.push_back(fmt::format("{} solved in a noisy time", counted_cases(count(tally.noisy))));
  }
  if (!tally.doubted.empty()) {
    parts.push_back(fmt::format("{} doubtful", counted_cases(count(tally.doubted))));
  }
  return parts.empty() ? "" : fmt::format("{} (--all lists them).", fmt::join(parts, ", "));
}

}  // namespace

Document document_of(const Replication& replication) {
  const Tally tally(replication);
  const Unreached unreached =
      unreached_by(replication.cases, replication.printed_cells, replication.deadline);
  List list;
  const auto add = [&](const char* what, const char* kind, const std::string& text) {
    if (!text.empty()) list.items.push_back({strong(what, kind) + ": " + text});
  };
  if (!replication.claims.empty()) add("Claims", "", sentence_on_claims(replication.claims));
  add("Solved", "measured",
      fmt::format("{}, {} of them kept from before.", counted_cases(tally.solved), tally.kept));
  add("Not believed", "invalid", sentence_on_doubts(tally));
  int not_run = 0;
  for (const NotRun& group : not_run_by_reason(replication.cases, replication.left_out)) {
    not_run += group.cases;
  }
  if (not_run > 0) add("Not run", "", counted_cases(not_run) + ".");
  add("Report", "", replication.report);
  for (const std::string& why : replication.not_written) add("Not written", "invalid", why + ".");
  Document document;
  if (!replication.front.rows.empty()) document.body = blocks_of(sheet_of(replication.front));
  document.body.emplace_back(std::move(list));
  std::vector<NextCommand> next = commands_of(replication, tally, unreached);
  next.resize(std::min<std::size_t>(next.size(), 1));
  next.push_back(report_command(replication));
  document.body.emplace_back(grid_of(next));
  return document;
}

Document full_document_of(const Replication& replication) {
  const Tally tally(replication);
  const Unreached unreached =
      unreached_by(replication.cases, replication.printed_cells, replication.deadline);
  Document document;
  if (!replication.standings.empty()) {
    document.body = blocks_of(replication.standings, replication.machine_text);
  }
  document.body.emplace_back(findings_of(replication, tally, unreached));
  std::vector<NextCommand> next = commands_of(replication, tally, unreached);
  next.push_back(report_command(replication));
  const std::string& folder = replication.view_arguments;
  next.push_back({"macrobench tables PAPER/TABLE" + folder, "one table"});
  next.push_back({"macrobench claims PAPER" + folder, "each claim, and what it rests on"});
  document.body.emplace_back(grid_of(next));
  return document;
}

Sheet sheet_of(const std::vector<ScheduledCase>& cases) {
  using One = ScheduledCase;
  return SheetOf<One>("cases", {"case"})
      .data("case", [](const One& one) { return one.which.key(); })
      .data("status",
            [](const One& one) {
              return to_string(one.record ? one.record->status : Status::not_run);
            })
      .data("why",
            [](const One& one) { return to_string(one.record ? one.record->why : one.why_not); })
      .data("is_kept", &One::reused)
      .of(cases);
}

std::vector<Sheet> sheets_of(const Replication& replication) {
  const Sheet run = SheetOf<Replication>("run", {"folder"})
                        .data("folder", &Replication::folder)
                        .data("machine", &Replication::machine_text)
                        .data("tables", &Replication::tables_folder)
                        .data("report", &Replication::report)
                        .of(std::vector{replication});
  const Sheet not_written = SheetOf<std::string>("not_written", {"why"})
                                .data("why", [](const std::string& why) { return why; })
                                .of(replication.not_written);
  return {run,
          not_written,
          sheet_of(replication.cases),
          sheet_of(replication.front),
          sheet_of(replication.standings, replication.machine_text),
          sheet_of_counts(replication.claims)};
}

}  // namespace macrobench
