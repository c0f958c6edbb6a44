#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/commands/options.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// The options of every command that runs cases: how thoroughly, how often, for how long.
struct RunFlags {
  std::string deadline = "10m";
  bool certify = false;
  bool strict = false;
  Sampling sampling;

  void add_to(Options& app);
  [[nodiscard]] RunOptions options() const;  ///< throws UsageError
};

/// The options of a command that runs many cases and keeps their records.
struct CampaignFlags {
  RunFlags run = {};
  std::string budget = "none";
  std::string results = "results";
  bool fresh = false;

  void add_to(Options& app);

  /// Runs the cases as one campaign, in this machine's folder of results; the progress is on
  /// standard error. `hints` as in ScheduleOptions. Throws UsageError and Failure.
  [[nodiscard]] std::vector<ScheduledCase> run_cases(
      const std::vector<Case>& cases, const Machine& machine,
      const std::map<std::string, double>& hints = {}) const;

  /// The gravest of the cases' codes; a case that was not run has failed if this is strict.
  [[nodiscard]] ExitCode verdict_on(const std::vector<ScheduledCase>& cases) const;
};

}  // namespace macrobench
