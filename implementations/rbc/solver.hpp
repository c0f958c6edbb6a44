#pragma once

#include <string>

#include "harness/model/solver.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The model as it is registered.
const SolverModel<Problem>& this_model();

using Solver = macrobench::Solver<Problem, Solution>;
using RegisterSolver = macrobench::RegisterSolver<Problem, Solution, this_model>;

// What a solver's declaration can name as its own.

/// The axis `maximizer` of the programs of the 2010 and 2014 papers.
inline const TakenAxis published_maximizers{"maximizer", {"bisection", "grid_howard"}};

/// Work: what an iteration takes, roughly, in looks at a choice, whose utility is a power. How many
/// iterations there are hardly depends on the grid.
double work_of_search(const Problem& problem);
/// The same where the expectation of every feasible choice is formed before the search.
double work_of_all_expectations(const Problem& problem);
/// Of a frontier, which looks at each state a few times, whatever the grid.
double work_of_states(const Problem& problem);

/// Every iteration reads V, and writes V and the policy; an evaluation is an expectation, a utility
/// and their sum.
Floor floor_of_search(const Problem& problem, const Outcome& outcome);
/// Of a frontier only what it must at least: the result, and one look at each state.
Floor floor_of_states(const Problem& problem, const Outcome& outcome);

/// Why a solver that computes capital from equal steps cannot have the problem's; empty if it can.
std::string why_no_such_capital(const Problem& problem);

/// What single precision is known to do to the published searches; see the README.
std::string known_invalid_in_single(const Problem& problem);

}  // namespace macrobench::rbc
