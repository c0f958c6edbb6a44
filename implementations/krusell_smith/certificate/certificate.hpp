#pragma once

#include <vector>

#include "harness/model/outcome.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Judges an equilibrium by code that no solver shares, in double. Valid:
///
/// * everything was written, and the solver says that it converged;
/// * the regression, done again on the solution's own path of K, gives its coefficients, and these
///   are within the tolerance of those that households perceive: that is Outcome::residual;
/// * the policy solves the Euler equation at the grid's nodes: what the equation asks for, on the
///   same interpolant, is within twice policy_tolerance of it. All nodes if `thorough` or there are
///   at most `affordable_nodes`, else an even selection;
/// * the path of K is what the policy makes of the first cross-section. All of it if `thorough` or
///   there are at most `affordable_steps` steps of an agent; else as many of the first periods as
///   these allow, and from there on every so-manieth agent, whose wealth at the end must be what
///   the solution says;
/// * no mean was clipped to the grid of K.
///
/// Of a stage alone: it began with the stored law, or with the stored policy and the first
/// cross-section; the policy solves the Euler equation, or the last two. Outcome::residual is the
/// policy's error or that of the path of K; law_error and euler_error are not measured.
///
/// Figures: "b0_bad", "b1_bad", "b0_good", "b1_good" as perceived, "R2_bad", "R2_good"; "K_mean"
/// after the burn-in, "K_fifth_mean"; "wealth_mean", "wealth_sd", "wealth_p05", "wealth_p25",
/// "wealth_median", "wealth_p75", "wealth_p95" of the last cross-section; "policy_iterations",
/// "first_policy_iterations", "clips_k", "clips_K", "relaxed"; the largest errors found:
/// "policy_error", "path_error" of K, "wealth_error", "regression_error"; and of the fresh
/// simulation "euler_error_mean", "euler_error_max", "law_error_mean", "law_error_max". Series:
/// "K_fifth".
Outcome judge(const Problem& problem, const Equilibrium& equilibrium, bool thorough);

inline constexpr double affordable_steps = 1 << 24;
inline constexpr std::size_t affordable_nodes = 1 << 15;

/// Numbers of a cross-section, of agents or of weights on wealth_points(problem).
WealthMoments moments_of(const Problem& problem, PanelKind kind, const std::vector<double>& wealth);

/// Where the agents of a fresh simulation stand to the equilibrium: relative errors.
struct Accuracy {
  /// |c_Euler / c - 1| along the simulation, where c_Euler is the consumption that the Euler
  /// equation asks for given tomorrow's choices, or all there is where that is less.
  double euler_mean = 0, euler_max = 0;
  /// |K_law / K - 1|, where K_law follows the law of motion from the first period on without ever
  /// being shown K (Den Haan 2010).
  double law_mean = 0, law_max = 0;
};

/// Simulates accuracy_periods periods under fresh shocks. Of the law of motion: a histogram of the
/// population that begins where the last panel ended, so that no noise of a sample is taken for an
/// error of the law. Of the Euler equation: ten households on their way.
Accuracy accuracy_of(const Problem& problem, const Equilibrium& equilibrium);

}  // namespace macrobench::krusell_smith
