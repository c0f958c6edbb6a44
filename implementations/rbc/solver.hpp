#pragma once

#include <string>
#include <vector>

#include "harness/origin.hpp"
#include "harness/stages.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Solves the problem into `solution`, whose V and policy have their full size on entry and hold
/// poison (NaN and -1). Deterministic: the same problem gives the same bits, run after run.
template <class Real>
using Solve = void (*)(const Problem& problem, Stages& stages, Solution<Real>& solution);

/// One implementation of the model: two functions, and what the harness must know of them.
struct Solver {
  std::string name;
  Origin origin = Origin::published;
  std::string summary;  ///< one line

  std::vector<Maximizer> maximizers = {};  ///< those it has; none where it has no such choice
  bool takes_monotone = false;             ///< has the axis `monotone`
  bool takes_threads = false;              ///< has the axis `threads`
  bool takes_block = false;                ///< has the axis `block`

  /// Null, or: empty if it can run on this machine, else why not.
  std::string (*unavailable)() = nullptr;
  /// What the papers call start-up (device context, libraries); null where there is none.
  void (*start)(const Problem& problem) = nullptr;
  Solve<float> solve_single = nullptr;  ///< null where it does not do single precision
  Solve<double> solve_double = nullptr;

  std::string source;  ///< __FILE__
};

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(Solver solver);
};

}  // namespace macrobench::rbc
