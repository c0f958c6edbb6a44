#pragma once

#include "harness/model/solver.hpp"
#include "implementations/roofline/model.hpp"

namespace macrobench::roofline {

/// The stage `arrays` sets up the arrays; the rate is that of the stage with the ceiling's name.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: this is all that adds an
/// implementation.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

/// A solver's floor: all that the ceiling is made of.
Floor floor_of_ceiling(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::roofline
