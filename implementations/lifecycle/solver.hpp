#pragma once

#include "harness/model/solver.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

/// The optional axes are `threads`, `processes`, `blocks`, `block` and `arrays`.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

}  // namespace macrobench::lifecycle
