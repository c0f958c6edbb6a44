#pragma once

#include "harness/model/solver.hpp"
#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

/// All is in double: the sums run over billions of nodes.
template <class Real>
using Solution = Equilibrium;

using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

// What a solver's declaration can name as its own.

/// The horizons of a solver that visits every node.
inline TakenAxis horizon_of_a_tree() {
  return {.name = "T",
          .interval = Interval{.lowest = 1, .highest = longest_tree},
          .otherwise = "a tree has 2^(T+1) nodes; take beliefs/frontier beyond"};
}

/// Nothing is stored but sums. A Newton iteration at a node is thirteen operations; what forms the
/// node's equation is left out.
Floor floor_of_newton(const Problem& problem, const Outcome& outcome);
/// The same of a solver whose GPUs exchange so many bytes per period in each pass.
Floor floor_of_dividing(const Problem& problem, const Outcome& outcome, double bytes_per_period);

}  // namespace macrobench::beliefs
