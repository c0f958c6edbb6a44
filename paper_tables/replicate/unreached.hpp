#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/run/schedule.hpp"

namespace macrobench {

/// A longer budget, and what it brings.
struct LongerBudget {
  double seconds = 0;
  bool needs_deadline = false;  ///< some cases take longer than the deadline
  int printed_cells = 0;        ///< that get a number of this machine
  int cases = 0;
};

/// The cases that a budget left out, by how long each would take.
struct Unreached {
  int in_a_minute = 0, in_an_hour = 0, in_a_day = 0, beyond = 0;
  int unknown = 0;  ///< no time of their series is known
  /// At most two: for cases of less than a minute each, then of less than an hour. None while a
  /// case that would come first has no prediction: what is left for the others is not known then.
  std::vector<LongerBudget> budgets = {};
};

/// Of a run with this deadline in seconds; `printed_cells` are keys_of_printed_cells(). It trusts
/// the schedule's predictions, and adds a quarter.
Unreached unreached_by(const std::vector<ScheduledCase>& cases,
                       const std::vector<std::set<std::string>>& printed_cells, double deadline);

/// As --budget and --deadline take it, rounded up to what a person would write: "12m", "3h".
std::string written_duration(double seconds);

}  // namespace macrobench
