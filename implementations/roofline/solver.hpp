#pragma once

#include "harness/model/solver.hpp"
#include "implementations/roofline/model.hpp"

namespace macrobench::roofline {

/// What sets the arrays up is the stage `arrays`; the stage that is
/// named as the ceiling is what the rate is of.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

/// A solver's floor: all that the ceiling is made of.
Floor floor_of_ceiling(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::roofline
