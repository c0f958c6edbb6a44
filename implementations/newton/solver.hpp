#pragma once

#include <cstdint>

#include "harness/model/solver.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench {
template <class Problem>
struct SolverModel;
}

namespace macrobench::newton {

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

/// A solver's floor: a coefficient is read, its maximum and the steps there written; a Newton step
/// is six operations, and no coefficient takes none.
Floor floor_of_one_step(const Problem& problem, const Outcome& outcome);

}  // namespace macrobench::newton
