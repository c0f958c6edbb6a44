#pragma once

#include "harness/model/outcome.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Judges a solution, in double, by code that no implementation uses (Bellman). Shared with them
/// are the grids and the utility of model.hpp.
///
/// Valid: V and policy were written, the solver says it converged, after 1 to iteration_cap
/// iterations, and over the checked states max |V - TV| is at most the tolerance and four units in
/// the last place of `Real` at max |V|, and no choice is worth less than the best one by more than
/// twice that. (Within iteration_cap the count of iterations cannot be told from a solution.)
/// All states are checked if `thorough` or there are at most `affordable_states`; else a seeded,
/// stratified sample: both ends of the capital grid, the kink where the feasible set begins to
/// bind, and the interior.
///
/// Also recorded (Outcome::figures): "V_first", "V_last"; "value_error" and "policy_distance", the
/// largest |V - V_ref| and distance in grid steps from a double reference, where affordable;
/// "euler_error_mean", "euler_error_max": log10 of the mean and the largest
/// |1 - (beta E[u'(c') R'])^(-1/gamma) / c| over the checked states, R' = alpha Z' K'^(alpha-1) + 1
/// - delta, c' along the policy.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough);

inline constexpr std::size_t affordable_states = 1 << 18;
inline constexpr std::size_t sampled_states = 1 << 16;
inline constexpr std::size_t reference_states = 1 << 12;

/// The solution of the problem to the last bits that double precision gives, by policy iteration
/// with Bellman: slow, for small grids. `iterations` counts improvements.
Solution<double> reference_solution(const Problem& problem);

}  // namespace macrobench::rbc
