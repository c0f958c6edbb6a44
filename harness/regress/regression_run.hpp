#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/regress/regression.hpp"
#include "harness/run/schedule.hpp"

namespace macrobench {

/// The build of one of the two commits: how to call its child, and what it has.
struct Contender {
  RegressionSide side;
  std::vector<std::string> child;  ///< {"build/macrobench", "child"}
  /// Its axes by the id of each implementation. It is never asked for what it lacks.
  std::map<std::string, std::set<std::string>> axes;
  /// The digests of their sources and of the rules that they are built by, if it reports them.
  std::map<std::string, std::string> sources = {};
};

/// True if all that decides the results and times of an implementation, by its id, is known to be
/// the same in both builds: sources, compilers, flags and the rules of the build.
bool has_same_source(const Contender& base, const Contender& head, const std::string& id);

/// The build at the path, by its own `list --json`. Throws UsageError if it is not macrobench.
Contender contender_at(const std::filesystem::path& executable, RegressionSide side);
/// The build of a commit, made if need be, with CUDA if the machine's build has it.
/// Throws UsageError and NotBuilt.
Contender contender_of(const std::string& ref, const Machine& machine);

struct RegressionPlan {
  std::vector<Case> cases;
  RegressionTerms terms;
  double deadline = 600;         ///< seconds for one process
  bool thorough = false;         ///< check every state of every result
  double process_seconds = 0.1;  ///< of solutions in each process, at least one solution
  /// Cases for which a process of the base takes longer than this are left out; seconds.
  double longest = std::numeric_limits<double>::infinity();
};

/// Measures every case in both builds. First each runs once, which checks its result and fixes
/// the number of solutions per process, the same on both sides. Then come the pairs: each round has
/// one pair of every case, so that a noisy minute spoils one pair of each case and not all pairs of
/// one. The two sides of a pair run one right after the other, in alternating order, so that
/// neither is always second. Every result is checked. Cases that come out slower are then measured
/// again by as many fresh pairs, and what these say stands.
Regression run_regression(const RegressionPlan& plan, const Contender& base, const Contender& head,
                          const Machine& machine, const Progress& progress);

/// A case a quarter as large along every axis that its work, or its check, grows with, as far as
/// these allow it; none if there is no such case.
std::optional<Case> smaller_case(const Case& which);

/// Why counting the case's instructions with valgrind would be useless, one clause; empty if it is
/// not. The reasons: a GPU or other processes do the work, or threads that wait for each other
/// do.
std::string uncountable(const Case& which);

}  // namespace macrobench
