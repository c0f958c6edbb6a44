#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/regress/regression.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/schedule.hpp"

namespace macrobench {

/// A program of one of the two commits: how its child is called, and what it has.
struct Contender {
  RegressionSide side;
  std::vector<std::string> child;  ///< {"build/macrobench", "child"}
  /// Its axes by the id of each implementation. What it has not is not asked of it.
  std::map<std::string, std::set<std::string>> axes;
  std::map<std::string, std::string> sources = {};  ///< digests of theirs, where it tells them
};

/// The program at the path, by its own `list --json`. Throws UsageError where it is none.
Contender contender_at(const std::filesystem::path& program, RegressionSide side);

struct RegressionPlan {
  std::vector<Case> cases;
  RegressionTerms terms;
  double deadline = 600;         ///< seconds for one process
  bool thorough = false;         ///< check every state of every result
  double process_seconds = 0.1;  ///< of solutions in each process, one solution at the least
  /// Cases that a process of the base takes longer for are left out: seconds.
  double longest = std::numeric_limits<double>::infinity();
};

/// Measures every case in both programs. First each runs once, which checks its result and fixes
/// how many solutions a process takes, the same on both sides. Then come the pairs: in each round
/// one of every case, so that a noisy minute spoils a pair of each and not all pairs of one; the
/// two sides of a pair one right after the other, in an order that alternates, so that neither is
/// always the second. No result goes unchecked.
Regression run_regression(const RegressionPlan& plan, const Contender& base, const Contender& head,
                          const Machine& machine, const Progress& progress);

/// Why valgrind cannot count the case's instructions to any use, one clause; empty if it can: the
/// work is done by a GPU or another program, or by threads that wait for each other.
std::string uncountable(const Case& which);

}  // namespace macrobench
