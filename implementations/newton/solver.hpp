#pragma once

#include "harness/model/solver.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: this is all that adds an
/// implementation.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

/// A solver's floor: a coefficient is read, its maximum and the steps there written; a Newton step
/// is six operations, and no coefficient takes none.
Floor floor_of_one_step(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::newton
