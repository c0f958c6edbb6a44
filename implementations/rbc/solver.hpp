#pragma once

#include "harness/model/solver.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The optional axes are `maximizer`, `future_points`, `monotone`, `threads` and `block`.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

}  // namespace macrobench::rbc
