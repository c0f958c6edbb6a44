#pragma once

#include "harness/model/solver.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

/// The optional axes are `threads` and `block`.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

}  // namespace macrobench::newton
