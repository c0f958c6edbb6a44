#pragma once

#include <vector>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

/// The sums of one period at given consumption at s_0, over all its histories.
struct PeriodSums {
  double wealth;    ///< sum of q C
  double spending;  ///< sum of q c2
};

/// The sums that a solver's sums are held to. Histories recombine: their total probability is
/// carried forward, class by class, in long double; each class's equation is solved in the log odds
/// of type 1's share of the endowment, between bounds. No solver uses this code.
///
/// `wanted` has shape T + 1; the sums of periods that are not wanted are zero. Solves an equation
/// for each class of a wanted period, O(T^2) of them, and takes O(T^3) additions in all.
std::vector<PeriodSums> reference_sums(const Problem& problem, const Consumption& at_s0,
                                       const std::vector<bool>& wanted);

/// Judges an equilibrium by code that no solver shares. Valid:
///
/// * the solver says it converged, and everything was written;
/// * consumption at s_0 and at the sampled histories meets the resource constraint
///   (18), relative to C, and both types' first-order conditions (21), as the log of their ratio;
/// * each period's two sums are those of reference_sums(), relative to themselves;
/// * type 2's budget residual, taken from the reference's sums, over wealth, is at most
///   broyden_tolerance and what Newton leaves.
///
/// 1e-10 is allowed for the second and third, or what Newton's tolerance leaves if that is more.
/// All periods are checked if `thorough` or there are at most `affordable_classes`; else the first,
/// the last, and others evenly between.
///
/// Recorded: Outcome::residual is that budget residual. Figures: "c1_0", "c2_0", "wealth",
/// "budget_residual" (the solver's own), "passes", "nodes" (equations per pass),
/// "newton_iterations_mean" (per equation), "sums_error", "resource_error", "foc_error" (the
/// largest).
Outcome judge(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny);

inline constexpr double affordable_classes = 1 << 24;

}  // namespace macrobench::beliefs
