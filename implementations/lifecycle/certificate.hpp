#pragma once

#include <cstddef>
#include <vector>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

/// Judges a solution, in double, by code that no implementation uses: the best of all choices of a
/// state, by a ChoiceTree of the solution's own V of the next age. Shared with them are the grids
/// and what the household has to spend, both from model.hpp. Under `as_published` the expectation
/// of a choice is the sum of the expectations of all choices up to it.
///
/// Valid: all of V is finite and between the sums of the least and the largest utilities, and at
/// each checked state |V - TV| is at most the rounding of that state's terms in `Real`, for each
/// number of the sums that went into it, and at most 1e-6 of consumption, or 1e-2 in single
/// precision (numerics/consumption_error.hpp); the note "precision" says so beyond 1e-4. Not valid
/// where the rounding of one such term alone is more than that. As published, consumption bounds
/// only V of age T, which has no expectation. All states are checked if thorough or there are at
/// most `affordable_states` of all ages; else drawn_places, as many of each age, and both ends of
/// the grid. Of an economy of a batch, the states that its solver kept for it.
///
/// Outcome::residual is |V - TV| where it uses up most of what is allowed, in units of utility.
/// Also recorded (Outcome::figures): "residual_share", the largest as a share of consumption;
/// "V_1_1", "V_1_2", "V_1_3", which the tutorial prints: V at age 1, the lowest savings and the
/// first three shocks; "states", the number per age.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny);

inline constexpr std::size_t affordable_states = 1 << 16;

/// V of all ages in double, shape T x ne x nx, by the same operator. For tests and figures.
std::vector<double> reference_values(const Problem& problem);

}  // namespace macrobench::lifecycle
