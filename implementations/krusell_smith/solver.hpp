#pragma once

#include "harness/model/solver.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// The policy is in double always, and so is what is kept; `Real` is the panel's.
template <class Real>
using Solution = Equilibrium;

/// The optional axes are `N` and `shocks`, `block`, and `histogram_points`.
using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: that is all there is to adding one.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

}  // namespace macrobench::krusell_smith
