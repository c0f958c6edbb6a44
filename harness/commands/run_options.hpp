#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/commands/options.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// Adds the options of every command that runs cases: how thoroughly, how often, for how long, and
/// where on the machine, which is then Machine::placed().
void add_run_options(Options& app, RunOptions& run, std::string& place, bool& strict);

/// Throws UsageError if options that belong together contradict each other.
void check(const RunOptions& run);

/// The options of a command that runs many cases and keeps their records.
struct CampaignFlags {
  ScheduleOptions schedule;
  bool strict = false;
  bool store = false;
  std::string place = "none";
  std::string results = "results";

  void add_to(Options& app, const std::string& budget);

  /// This machine, with its threads held as asked.
  [[nodiscard]] Machine machine() const { return this_machine().placed(place); }

  /// Runs the cases as one campaign, in this machine's folder of results; the progress is on
  /// standard error. `hints` as in ScheduleOptions. Throws UsageError and Failure.
  [[nodiscard]] std::vector<ScheduledCase> run_cases(
      const std::vector<Case>& cases, const Machine& machine,
      const std::map<std::string, CaseHint>& hints = {}) const;

  /// The gravest of the cases' codes; a case that was not run has failed if this is strict.
  [[nodiscard]] ExitCode verdict_on(const std::vector<ScheduledCase>& cases) const;
};

/// For who sees no document: a line on standard error for each reason why cases were not run. As
/// not_run_by_reason().
void say_not_run(const std::vector<ScheduledCase>& cases, const std::vector<Reason>& others = {});

}  // namespace macrobench
