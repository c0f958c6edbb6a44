#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/options.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/part.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/document.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// Adds the options of every command that runs cases: how thoroughly, how often, for how long.
void add_run_options(Options& app, RunOptions& run, bool& strict);

/// Throws UsageError if options that belong together contradict each other.
void check(const RunOptions& run);

/// The options of a command that runs many cases and keeps their records.
struct CampaignFlags {
  ScheduleOptions schedule;
  bool strict = false;
  bool out = false;
  std::string results = usual_results;
  std::string part_text;  ///< "3/8"; empty: the whole plan

  void add_to(Options& app, const std::string& budget);

  /// The part of the plan that is to be run; none if it is all of it. Throws UsageError.
  [[nodiscard]] std::optional<Part> part() const;

  /// The folder of the records: the machine's own, or a part's shard in it. Throws UsageError as
  /// own_folder().
  [[nodiscard]] std::filesystem::path folder(const Machine& machine) const;

  /// The plan's cases that are to be run: all, or those of the part.
  [[nodiscard]] std::vector<Case> chosen(std::vector<Case> plan,
                                         const std::map<std::string, CaseHint>& hints = {}) const;

  /// Runs the cases as one campaign, with its records in folder(); the progress is on standard
  /// error. `hints` as in ScheduleOptions; `others` are cases that this build leaves out. Throws
  /// UsageError and Failure.
  [[nodiscard]] std::vector<ScheduledCase> run_cases(
      const std::vector<Case>& cases, const Machine& machine,
      const std::map<std::string, CaseHint>& hints = {}, std::size_t others = 0) const;

  /// What a part says at its end: what became of its cases, and how the parts are merged.
  [[nodiscard]] Document end_of_part(const std::vector<ScheduledCase>& cases,
                                     const Machine& machine) const;

  /// How many times are not believed, and how to go on; empty if there are none.
  [[nodiscard]] std::string about_doubted(const std::vector<ScheduledCase>& cases) const;

  /// The gravest of the cases' codes; a case that was not run has failed if this is strict.
  [[nodiscard]] ExitCode verdict_on(const std::vector<ScheduledCase>& cases) const;
};

/// Says on standard error, before anything is measured, that the machine is too busy for the cases
/// that can be run, if it is: see why_busy().
void say_if_busy(const std::vector<Case>& cases);

/// For who sees no document: a line on standard error for each reason why cases were not run. As
/// not_run_by_reason().
void say_not_run(const std::vector<ScheduledCase>& cases, const std::vector<Reason>& others = {});

}  // namespace macrobench
