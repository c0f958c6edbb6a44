#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/case_hint.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/runner.hpp"

namespace macrobench {

struct ScheduleOptions {
  double budget = std::numeric_limits<double>::infinity();  ///< seconds of measuring in all
  RunOptions run;
  bool fresh = false;  ///< run cases again that have a record that could be reused
  int others = 0;      ///< cases of the request that this build leaves out: only counted
  /// By key. They decide the order, and leave no case out.
  std::map<std::string, CaseHint> hints = {};
};

/// What happened to one case of a plan.
struct ScheduledCase {
  Case which;
  /// The case's own record: reused or new. Absent if it was not run.
  std::optional<Record> record = {};
  bool reused = false;
  Reason why_not = {};  ///< "no GPU here", "over the budget (predicted 3 h)"
  /// Of the whole case; NaN if nothing was known.
  double predicted_seconds = std::numeric_limits<double>::quiet_NaN();
};

/// Where a schedule is while a case runs.
struct Moment {
  double elapsed = 0;   ///< seconds since the schedule began
  double eta = 0;       ///< seconds to its end, as far as that can be predicted
  std::string at = {};  ///< the step of the case: "the first solution"; may be empty
};

/// Shows a person the progress, or nothing. Called before and after each case, and once a second
/// within it. The total is of the cases that are to run: neither of those kept from before nor of
/// those that cannot run.
struct Progress {
  std::function<void(const Case& which, int done, int total, double eta_seconds)> begins =
      [](const auto&...) {};
  std::function<void(const Case& which, int done, int total, const Moment& now)> moves =
      [](const auto&...) {};
  std::function<void(const ScheduledCase& which, int done, int total)> ended = [](const auto&...) {
  };
  std::function<void(const std::string& message)> says = [](const auto&...) {};
};

/// Progress for a person: on a terminal one line that is overwritten and removed at the end, with a
/// bar that never goes back, and a line that stays for each case that went wrong; otherwise a plain
/// line every ten seconds, and one for each case that went wrong. Of those that were not run
/// not_run_by_reason() says more.
Progress terminal_progress(bool is_a_terminal, std::ostream& out);
/// The same on standard error.
Progress terminal_progress();

/// Cases that were not run, for the same reason.
struct NotRun {
  std::string why;
  int cases = 0;
};

/// Those of a schedule, and others; the most frequent reason first.
std::vector<NotRun> not_run_by_reason(const std::vector<ScheduledCase>& cases,
                                      const std::vector<Reason>& others = {});
/// "266 cases not run: no GPU here".
std::string to_string(const NotRun& group);

/// Runs the cases within the budget, which they share; the cheapest predicted group comes first, by
/// its dearest case of no more than ten seconds. Within a finite budget its first minute is for the
/// headlines: of each series the smallest size and then the largest that is predicted to take at
/// most three seconds, while rows that are ours take every size up to there. After these, series
/// that a published row needs come before ours. A series (cases that differ only along the axes
/// their model grows along) runs in increasing order. A case with a record of the same key,
/// comparable machine and source digest is reused. Each record is in the store before the next case
/// begins; so is the reason why a case was not run.
std::vector<ScheduledCase> run_schedule(std::vector<Case> cases, RecordStore& store,
                                        const Machine& machine, const ScheduleOptions& options,
                                        const Progress& progress);

/// The record that replaces a run of the case: the newest of its key, a comparable machine and its
/// source digest. Null if there is none, or if these options ask for a run all the same: one that
/// failed, a time that is not believed, energy that was not measured, `fresh`.
const Record* reusable_record(const Results& results, const Case& which, const Machine& machine,
                              const ScheduleOptions& options);

}  // namespace macrobench
