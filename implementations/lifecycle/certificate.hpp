#pragma once

#include <vector>

#include "harness/model/outcome.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

/// Judges a solution, in double, by code that no implementation uses: every choice of a state is
/// evaluated against the solution's own V of the next age. Shared with them are the grids and what
/// the household has to spend, both from model.hpp. Under `as_published` the expectation of a
/// choice is the sum of the expectations of all choices up to it.
///
/// Valid: all of V is finite, and |V - TV| is at most what rounding allows in `Real`: its
/// epsilon, times the terms of the sums that went into it, times the largest of |V|, |u|, the
/// expectation and, for log utility, 1; if the grids are in single precision's own arithmetic, also
/// what rounding a budget in it does to utility. All states are checked if `thorough` or there are
/// at most `affordable_choices` to evaluate; else a seeded sample of states at every age, both ends
/// of the grid among them.
///
/// Also recorded (Outcome::figures): "V_1_1", "V_1_2", "V_1_3", which the tutorial prints: V at
/// age 1, the lowest savings and the first three shocks; "states", the number per age.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough);

inline constexpr double affordable_choices = 1 << 26;
inline constexpr double sampled_choices = 1 << 25;

/// V of all ages in double, shape T x ne x nx, by the same exhaustive operator, made cheap because
/// the choice rises with savings. For tests and figures.
std::vector<double> reference_values(const Problem& problem);

}  // namespace macrobench::lifecycle
