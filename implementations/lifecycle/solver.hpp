#pragma once

#include <string>

#include "harness/model/solver.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

// What a solver's declaration can name as its own.

/// Work: terms of expectations and choices, of which a state takes so many.
double work_with(const Problem& problem, double of_a_state);

/// Every value is written once. The published loops form the expectation for each choice of a
/// state.
Floor floor_of_every_choice(const Problem& problem, const Outcome& outcome);
/// Of a frontier, which needs an expectation once a choice, and looks at one choice of a state at
/// least.
Floor floor_of_one_choice(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::lifecycle
