#include "paper_tables/replicate/result_screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <utility>

#include "harness/text/each.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

/// Cases with something in common: how many, and one of them.
struct Group {
  std::size_t count = 0;
  std::string example = {};

  void add(const std::string& text) {
    if (++count == 1) example = text;
  }
  /// "3 cases (the first is rbc/serial nk=16: not converged)"; empty without cases.
  [[nodiscard]] std::string text() const {
    if (count == 0) return "";
    return fmt::format("{} ({}{})", counted(count, "case"), count == 1 ? "" : "the first is ",
                       example);
  }
};

/// The cases of a replication by what became of them.
struct Tally {
  std::size_t solved = 0, kept = 0;
  Group wrong, published_wrong, noisy, doubted;  ///< of a noisy time the result is believed
  Group not_run, over_budget;

  /// "1,003: 28 solved, 2 not believed, 967 not run, 6 of the machine at its best."
  [[nodiscard]] std::string sum(std::size_t best_rates) const {
    std::size_t all = solved;
    std::string text = with_separators(static_cast<double>(solved)) + " solved";
    const auto add = [&](std::size_t count, const char* what) {
      all += count;
      if (count > 0)
        text += fmt::format(", {} {}", with_separators(static_cast<double>(count)), what);
    };
    add(wrong.count, "wrong");
    add(published_wrong.count, "invalid as published");
    add(doubted.count, "doubtful");
    add(not_run.count, "not run");
    add(best_rates, "of the machine at its best");
    return fmt::format("{}: {}.", with_separators(static_cast<double>(all)), text);
  }

  explicit Tally(const Replication& replication) {
    for (const ScheduledCase& one : replication.cases) {
      const std::string key = one.which.key();
      if (one.record) {
        add_record(*one.record);
        kept += one.reused ? 1 : 0;
        continue;
      }
      not_run.add(fmt::format("{}: {}", key, one.why_not.clause));
      if (one.why_not.kind == Reason::Kind::over_budget) over_budget.add(key);
    }
    for (const Reason& why : replication.left_out) not_run.add(why.clause);
  }

 private:
  void add_record(const Record& record) {
    if (is_result_believed(record.status)) ++solved;
    if (record.status == Status::measured) return;
    Group& group = record.expected_invalid             ? published_wrong
                   : is_result_believed(record.status) ? noisy
                   : is_doubted(record.status)         ? doubted
                                                       : wrong;
    group.add(fmt::format("{}: {}", record.key, record.why.clause));
  }
};

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

/// A command to type next, and what it brings.
struct NextCommand {
  std::string command, what;
};

/// As --budget takes it, rounded up to minutes: "12m".
std::string written_duration(double seconds) {
  return std::isinf(seconds) ? "none" : fmt::format("{:g}m", std::ceil(seconds / 60));
}

/// The command that measures more; none if there is nothing to measure.
std::optional<NextCommand> next_of(const Replication& replication, const Tally& tally) {
  const auto replicate = [&](double budget, const char* what) {
    return NextCommand{fmt::format("macrobench replicate --budget {}{}", written_duration(budget),
                                   replication.replicate_arguments),
                       what};
  };
  if (tally.noisy.count > 0) {
    return replicate(replication.budget, "when the machine is quiet: the noisy times again");
  }
  if (tally.over_budget.count > 0) return replicate(2 * replication.budget, "more cases");
  if (tally.doubted.count > 0) return replicate(replication.budget, "the doubtful cases again");
  return std::nullopt;
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

}  // namespace

Document document_of(const Replication& replication) {
  const Tally tally(replication);
  List list;
  const auto add = [&](const char* what, const char* kind, const std::string& text) {
    if (!text.empty()) list.items.push_back({strong(what, kind) + ": " + text});
  };
  if (!replication.claims.empty()) add("Claims", "", sentence_on_claims(replication.claims));
  add("Solved", "measured",
      fmt::format("{}, {} of them kept from before.", counted(tally.solved, "case"), tally.kept));
  add("Wrong", "invalid", tally.wrong.text());
  add("Invalid as published", "invalid", tally.published_wrong.text());
  add("Not believed", "invalid", tally.noisy.text());
  add("Doubtful", "invalid", tally.doubted.text());
  add("Not run", "", tally.not_run.text());
  add("Cases", "", tally.sum(replication.best_rates));
  add("Tables", "", replication.tables_folder);
  add("Report", "", replication.report);
  for (const std::string& why : replication.not_written) add("Not written", "invalid", why + ".");
  Document document;
  if (!replication.front.rows.empty()) document.body = blocks_of(sheet_of(replication.front));
  document.body.emplace_back(std::move(list));
  std::vector<NextCommand> next;
  if (const auto more = next_of(replication, tally)) next.push_back(*more);
  next.push_back(report_command(replication));
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
  return {run, not_written, sheet_of(replication.cases), sheet_of(replication.front),
          sheet_of_counts(replication.claims)};
}

}  // namespace macrobench
