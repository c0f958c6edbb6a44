#pragma once

#include <cstddef>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Judges an equilibrium by code that no solver uses, in double. Shared with solvers are the
/// shocks, the grids' points, what is read from files, and the stored solution that a stage alone
/// begins with. Valid:
///
/// * everything was written, the solver says that it converged, and its counts agree;
/// * the regression, done again on the solution's own path of K, gives its coefficients;
/// * the law of these says nearly what households expect: Outcome::residual is the largest
///   difference of ln K', at the ends of the grid of K. Two laws at a Euclidean distance of
///   `tolerance`, where the outer loop stops, can differ by that times the length of (1, ln K),
///   which is allowed;
/// * the policy is within [0, k_max] and solves the Euler equation at the grid's nodes: consumption
///   is what the equation asks for, on the same interpolant and within the grid, to twice
///   policy_tolerance, but at most to 1e-6 of consumption, and to the rounding of that node's
///   terms. Nothing is saved where consumption is at its floor. All nodes if `thorough` or there
///   are at most drawn_places, else as many that are drawn;
/// * the path of K is what the policy makes of the first cross-section. All of it if `thorough` or
///   there are at most `affordable_steps` steps of an agent; else as many of the first periods as
///   these allow, and from there on some agents, drawn too, whose mean must be K in every period,
///   within five of its standard errors, whose wealth at the end is what the solution says, and
///   whose moments there are those of all agents, as near as chance allows;
/// * wealth is within [0, k_max], except in a first cross-section that is given;
/// * that cross-section is the given one, computed again, if reuse_tolerance is at least 1 or there
///   was only one outer iteration. Else panels that nobody repeats led there, and the note "first
///   cross-section" says that it is self-reported;
/// * no mean was clipped to the grid of K;
/// * at most a thousandth of the households end in the highest tenth of the grid of k, where its
///   end holds them back. If Scrutiny::keeps_quirks, this is only the note "wealth at k_max", which
///   any solution has with more than a thousandth of them in the upper half.
/// * wealth has a steady state: after the fresh simulation of accuracy_periods, in twice as many
///   periods, the moments of the population do not move from one half to the other, and households
///   do not gather at k_max (SteadyState). If Scrutiny::keeps_quirks, this is only the note "steady
///   state".
///
/// The tolerance is ten times as wide if `relaxed` is set, which only the outer loop in this build
/// does, never a program's count of iterations (take_result()); the note "tolerance" says so.
///
/// What a solver says of itself is checked against its caps and otherwise believed: its iterations
/// of any kind, clips_k, relaxed, and K_fifth, unless there were at most five panels: it is then K.
///
/// Of more than most_agents agents a solution keeps a sample (kept_of), all of whose households are
/// simulated again to the end, given the path of K: their wealth there must be the same, and their
/// mean in every period must be K, within five of its standard errors.
///
/// A policy alone is valid if it began with the stored law and solves the Euler equation; a panel
/// alone if it began with the stored policy and the first cross-section, computed again, and the
/// last two hold. Outcome::residual is then the error of the policy, a share of consumption, or of
/// the path of K; law_error and euler_error are not measured. If the outer loop did not converge it
/// is the Euclidean distance that the solver reports. (Records made before these units have that
/// distance as the residual, and policy_error in units of capital.)
///
/// Figures: "b0_bad", "b1_bad", "b0_good", "b1_good" as households expect them; the same with
/// "_relaxed" after them, of the law that the next iteration would begin with, which the authors'
/// programs print (not of law_update = quasi_newton); "R2_bad", "R2_good"; "K_mean" after the
/// burn-in, "K_fifth_mean"; "wealth_mean", "wealth_sd", "wealth_p05", "wealth_p25",
/// "wealth_median", "wealth_p75", "wealth_p95" of the last cross-section; "policy_iterations",
/// "first_policy_iterations", "clips_k", "clips_K", "relaxed"; the largest errors found:
/// "policy_error", "path_error" of K, "sample_error" of K from the mean of some agents, where not
/// all are followed, "wealth_error", "regression_error"; and of the fresh simulation
/// "euler_error_mean", "euler_error_max", "implied_error_mean", "implied_error_max",
/// "dynamic_error_mean", "dynamic_error_max", "law_error_mean", "law_error_max", "wealth_drift",
/// "k_max_share" (both if there are enough periods). Series: "K_fifth".
/// Notes: those above; "wealth", if the masses in the user's file had to be scaled. An invalid
/// outcome has only the counts and the largest errors: no law, no wealth, no path.
Outcome judge(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny);

inline constexpr double affordable_steps = 1 << 24;

}  // namespace macrobench::krusell_smith
