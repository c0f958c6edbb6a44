#pragma once

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// Judges a solution, in double, by code that no implementation uses (Bellman). Shared with them
/// are the grids and the utility of model.hpp.
///
/// Valid: V and policy were written, the solver says it converged, after 1 to iteration_cap
/// iterations, and at each checked state |V - TV| is at most min(tolerance, 1e-6 c u'(c)) and the
/// rounding of that state's terms in `Real` (numerics/consumption_error.hpp), and the choice is
/// worth less than the best one by at most twice that. At gamma = 0 the unit is (1 - beta) |V|
/// instead of c u'(c), and no tolerance is less than four eps of the largest |V|. The note
/// "precision" says what rounding may hide if that is more than 1e-4 of consumption. At every state
/// V is a sum of utilities that some policy can have. Not valid where rounding alone is more than
/// 1e-6 of consumption, or 1e-2 in single precision. (Within iteration_cap the count of iterations,
/// which is the solver's own, cannot be told from a solution.)
///
/// All states are checked if thorough or there are at most `affordable_states`; else drawn_places
/// from all over the grid, and both its ends and the kink where the feasible set begins to bind. Of
/// an economy of a batch, the states that its solver kept for it.
///
/// Outcome::residual is |V - TV| where it uses up most of what is allowed, in units of utility.
/// Also recorded (Outcome::figures): "residual_share" and "policy_loss_share", the largest errors
/// as shares of consumption; "V_first", "V_last"; "value_error" and "policy_distance", the largest
/// |V - V_ref| and distance in grid steps from a double reference, where affordable;
/// "euler_error_mean", "euler_error_max": log10 of the mean and the largest
/// |1 - (beta E[u'(c') R'])^(-1/gamma) / c|, R' = alpha Z' K'^(alpha-1) + 1 - delta, c' along the
/// policy, over all states that are checked, or a sample that is the same for every result.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, const Scrutiny& scrutiny);

inline constexpr std::size_t affordable_states = 1 << 18;
inline constexpr std::size_t reference_states = 1 << 12;

/// The solution of the problem to the last bits that double precision gives, by policy iteration
/// with Bellman: slow, for small grids. `iterations` counts improvements.
Solution<double> reference_solution(const Problem& problem);

}  // namespace macrobench::rbc
