#pragma once

#include "harness/model/solver.hpp"
#include "implementations/roofline/model.hpp"

namespace macrobench::roofline {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

/// The stage `arrays` sets up the arrays; the rate is that of the stage with the ceiling's name.
using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

/// A solver's floor: all that the ceiling is made of.
Floor floor_of_ceiling(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::roofline
