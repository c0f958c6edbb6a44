#pragma once

#include <cstdint>
#include <string>

#include "harness/model/solver.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench {
template <class Problem>
struct SolverModel;
}

namespace macrobench::lifecycle {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

/// Sizes all arrays of a solution, and puts into them what no solver leaves there.
template <class Real>
void fill_with_poison(const Problem& problem, Solution<Real>& solution);
/// Equal for equal bits.
template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution);

using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: this is all that adds an
/// implementation.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

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
