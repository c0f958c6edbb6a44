#pragma once

#include "harness/model/solver.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

/// A solver's floor: a coefficient is read, its maximum and the steps there written; a Newton step
/// is six operations, and no coefficient takes none.
Floor floor_of_one_step(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::newton
