#include "harness/command_line/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "harness/command_line/command.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record.hpp"
#include "harness/run/campaign_run.hpp"
#include "harness/run/machine_watch.hpp"
#include "harness/text/shell.hpp"

namespace macrobench {

void add_run_options(Options& app, RunOptions& run, bool& strict) {
  app.add_duration("--deadline", run.deadline, "10m",
                   "Kill a case's process after this long (90s, 10m, none)");
  app.add_flag("--certify", run.thorough,
               "Check every state of every result, however long it takes");
  app.add_flag(
      "--strict", strict,
      "Exit code 4 also if a time is not believed or, of many cases, one was not run or timed out; "
      "3 also if a result is known to be invalid");
  app.add_option("--min-samples", run.sampling.minimum,
                 "The least number of solutions, including the first", {.range = {{1, 10'000}}});
  app.add_option("--max-samples", run.sampling.maximum, "The largest number of solutions",
                 {.range = {{1, 10'000}}});
  app.add_option("--spread", run.sampling.relative_spread,
                 "Stop when the median's relative standard error is below this",
                 {.range = {{0, 1}}});
  app.add_option("--sample-seconds", run.sampling.seconds,
                 "Start no further solution after this long", {.range = {{0, 1e9}}});
  app.add_flag("--energy", run.energy,
               "Also measure the joules of a solution, after all timing: seven seconds or more per "
               "case");
}

void check(const RunOptions& run) {
  if (run.sampling.minimum <= run.sampling.maximum) return;
  throw UsageError("--min-samples {} is more than --max-samples {}", run.sampling.minimum,
                   run.sampling.maximum);
}

void CampaignFlags::add_to(Options& app, const std::string& budget) {
  app.add_duration("--budget", schedule.budget, budget,
                   "How long to measure in all: 90s, 5m, none");
  app.add_option("--results", results, "Folder of results");
  app.add_flag("--fresh", schedule.fresh, "Rerun cases that already have a record");
  app.add_flag(
      "--out", out,
      "Keep each case's first solution beside its record, as arrays for NumPy that macrobench "
      "verify certifies again");
  app.add_option("--part", part_text,
                 "Run one part of the plan, as in 3/8, the third of eight, into its own folder; "
                 "macrobench merge joins the parts. The budget is the part's own",
                 {.type_name = "I/N"});
  add_run_options(app, schedule.run, strict);
}

std::optional<Part> CampaignFlags::part() const {
  return part_text.empty() ? std::nullopt : std::optional(part_from(part_text));
}

std::filesystem::path CampaignFlags::folder(const Machine& machine) const {
  const std::filesystem::path whole = own_folder(results, machine);
  const std::optional<Part> its = part();
  return its ? shards_folder(whole) / folder_of(*its) : whole;
}

std::vector<Case> CampaignFlags::chosen(std::vector<Case> plan,
                                        const std::map<std::string, CaseHint>& hints) const {
  const std::optional<Part> its = part();
  return its ? cases_of_part(std::move(plan), hints, *its) : std::move(plan);
}

std::vector<ScheduledCase> CampaignFlags::run_cases(const std::vector<Case>& cases,
                                                    const Machine& machine,
                                                    const std::map<std::string, CaseHint>& hints,
                                                    std::size_t others) const {
  check(schedule.run);
  say_if_busy(cases);
  ScheduleOptions options = schedule;
  options.hints = hints;
  options.others = static_cast<int>(others);
  const std::filesystem::path its_folder = folder(machine);
  RecordStore records(its_folder);
  const Progress progress = terminal_progress();
  CampaignRun campaign(records, machine, asked());
  options.run.campaign = campaign.id();
  if (out) options.run.store = its_folder.string();
  std::vector<ScheduledCase> done = run_schedule(cases, records, machine, options, progress);
  campaign.finish();
  return done;
}

void say_if_busy(const std::vector<Case>& cases) {
  int threads = 0;
  for (const Case& which : cases) {
    if (which.unavailable().empty()) threads = std::max(threads, threads_of(which.parameters));
  }
  if (threads == 0) return;
  const std::string why = why_busy(threads, counters_folder());
  if (!why.empty()) print_text_line(stderr, why + ".");
}

void say_not_run(const std::vector<ScheduledCase>& cases, const std::vector<Reason>& others) {
  for (const NotRun& group : not_run_by_reason(cases, others)) {
    print_text_line(stderr, to_string(group));
  }
}

Document CampaignFlags::end_of_part(const std::vector<ScheduledCase>& cases,
                                    const Machine& machine) const {
  std::map<std::string, int> counts;
  int kept = 0;
  for (const ScheduledCase& one : cases) {
    ++counts[one.record ? to_string(one.record->status) : "not run: " + one.why_not.clause];
    kept += one.reused ? 1 : 0;
  }
  List list;
  for (const auto& [what, count] : counts) {
    list.items.push_back({fmt::format("{} {}", count, what)});
  }
  if (kept > 0) list.items.push_back({fmt::format("{} of them kept from before", kept)});
  const std::string merge =
      "macrobench merge" + (results == usual_results ? "" : " --results " + shell_word(results));
  return {.body = {Paragraph{fmt::format("Part {}: {} case{}, in {}.",
                                         to_string(part().value_or(Part{})), cases.size(),
                                         cases.size() == 1 ? "" : "s", folder(machine).string())},
                   std::move(list), Paragraph{Words("When all parts have ended: ") + code(merge)}}};
}

std::string CampaignFlags::about_doubted(const std::vector<ScheduledCase>& cases) const {
  DoubtedTimes times;
  for (const ScheduledCase& one : cases) {
    if (one.record) times.add(one.record->status);
  }
  if (times.all() == 0) return {};
  return fmt::format(
      "Solved, but {}. When the machine is quiet, the same command{} remeasures only {}.",
      to_string(times), schedule.fresh ? " without --fresh" : "",
      times.all() == 1 ? "this case" : "these cases");
}

ExitCode CampaignFlags::verdict_on(const std::vector<ScheduledCase>& cases) const {
  ExitCode code = ExitCode::ok;
  for (const ScheduledCase& one : cases) {
    if (one.record) code = gravest(code, verdict(*one.record, strict));
    if (!one.record && strict) code = gravest(code, ExitCode::failed);
  }
  return code;
}

}  // namespace macrobench
