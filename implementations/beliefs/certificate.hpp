#pragma once

#include <vector>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

/// The sums of one period at given consumption at s_0, over all its histories.
struct ReferencePeriod {
  double wealth;    ///< sum of q C
  double spending;  ///< sum of q c2
};

/// The sums that a solver's sums are held to. Histories recombine: their total probability is
/// carried forward, class by class, in long double; each class's equation is solved in the log odds
/// of type 1's share of the endowment, between bounds. No solver uses this code.
///
/// Returns T + 1 periods. A class is left out if an upper bound of its price says that it does not
/// count: all that are left out are at most 1e-15 of either sum. Takes O(T^3) additions, and solves
/// an equation for each class that counts.
std::vector<ReferencePeriod> reference_sums(const Problem& problem, const Consumption& at_s0);

/// Judges an equilibrium by code that no solver shares. Valid:
///
/// * the solver says it converged, and everything was written;
/// * consumption at s_0 and at the sampled histories meets the resource constraint
///   (18), relative to C (at s_0: to the part of the type that has less of it), and both types'
///   first-order conditions (21), as the log of their ratio;
/// * each period's two sums are those of reference_sums(), relative to themselves;
/// * type 2's budget residual, taken from the reference's sums alone, over wealth, is at most
///   broyden_tolerance and what Newton leaves.
///
/// 1e-10 is allowed for the second and third, or what Newton's tolerance leaves if that is more.
/// Neither tolerance makes more than `largest_share` valid; for budgets that is a share of either
/// type's wealth, and type 1's is off by mu_2 / mu_1 times type 2's. If a tolerance may leave more,
/// a refusal names the one that would do. With mu_1 / mu_2 below 1e-7 rounding alone leaves more,
/// and any solution is refused.
///
/// All periods are always checked. The sampled histories are seeded and known to solvers: a
/// solution holds no other node's consumption, and the sums do not depend on them.
///
/// Recorded: Outcome::residual is that budget residual. Figures: "c1_0", "c2_0", "wealth", "nodes"
/// (equations per pass), "sums_error", "resource_error", "foc_error" (the largest). Self-reported
/// by the solver, and widening no bound: Outcome::iterations and "passes", "budget_residual",
/// "newton_iterations_mean" (per equation).
Outcome judge(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny);

/// The largest error that any tolerance makes valid: of consumption, of a period's sums, and of
/// either type's budget over its wealth.
inline constexpr double largest_share = 1e-6;

}  // namespace macrobench::beliefs
