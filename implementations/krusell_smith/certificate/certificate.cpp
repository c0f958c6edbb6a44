#include "implementations/krusell_smith/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "harness/model/batch_outcome.hpp"
#include "harness/model/solution_arrays.hpp"
#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/euler.hpp"
#include "implementations/krusell_smith/certificate/found.hpp"
#include "implementations/krusell_smith/certificate/law.hpp"
#include "implementations/krusell_smith/certificate/one_stage.hpp"
#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/certificate/path.hpp"
#include "implementations/krusell_smith/certificate/written.hpp"
#include "implementations/krusell_smith/input/economies.hpp"

namespace macrobench::krusell_smith {

namespace {

using namespace certificate;

/// Of an equilibrium, the panel alone takes long to judge.
enum class Depth {
  without_panel,  ///< all except the panel, which is not simulated again
  with_panel,
  with_accuracy  ///< and figures of accuracy on a fresh simulation
};

Outcome judge_equilibrium(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny,
                          Depth depth) {
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  outcome.allowed = problem.tolerance * (e.relaxed ? 10 : 1) * height_per_distance(problem.grids);
  outcome.residual = e.distance;
  if (!e.converged) {
    outcome.allowed = problem.tolerance * (e.relaxed ? 10 : 1);  // of that distance
    const std::string clips = against_clips(problem, e);
    outcome.gave_up = std::isfinite(e.distance);
    return conclude(outcome, why_not_converged(e) + (clips.empty() ? "" : "; " + clips));
  }
  std::string why = first_of(
      {against_panel_arrays(problem, e), against_policy_array(problem, e), against_laws(e)});
  if (why.empty()) why = first_of({against_counts(problem, e), against_start(problem, e)});
  if (!why.empty()) return conclude(outcome, why);
  add_own_words(outcome, problem, e);
  add_top(outcome, problem, e);

  const Fit fit = regressed(problem, e.K);
  const double regression_error =
      std::max({law_distance(fit.law, e.estimated), std::abs(fit.R2[bad] - e.R2[bad]),
                std::abs(fit.R2[good] - e.R2[good])});
  outcome.residual = std::max(height_between(problem.grids, fit.law, e.law, bad),
                              height_between(problem.grids, fit.law, e.law, good));
  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PolicyErrors policy = policy_errors(problem, e, scrutiny.thorough, random);
  outcome.checked_states = policy.count;
  why = first_of({against_clips(problem, e), against_regression(fit, e, regression_error),
                  against_law(problem, outcome, fit, e), against_policy(problem, policy),
                  against_top(problem, e, scrutiny)});
  if (depth == Depth::without_panel) {
    return conclude(outcome, first_of({why, against_wealth(problem, e),
                                       against_tolerance(problem, e, outcome.allowed)}));
  }
  const PathErrors path = path_errors(problem, e, scrutiny.thorough, random);
  outcome.checked_states += path.count;
  outcome.exhaustive = policy.all && path.all;

  add_errors(outcome, e, path);
  outcome.figures.insert(
      {{"policy_iterations", static_cast<double>(e.policy_iterations)},
       {"first_policy_iterations", static_cast<double>(e.first_policy_iterations)},
       {"relaxed", e.relaxed ? 1.0 : 0.0},
       {"policy_error", policy.largest.error},
       {"regression_error", regression_error}});
  why = first_of({why, against_path(problem, e.kind, path), against_wealth(problem, e)});
  if (!why.empty()) return conclude(outcome, why);

  add_law(outcome, e);
  add_relaxed_law(outcome, problem, e);
  add_panel(outcome, problem, e);
  outcome.figures.insert(
      {{"R2_bad", e.R2[bad]}, {"R2_good", e.R2[good]}, {"K_fifth_mean", mean_of(e.K_fifth)}});
  if (depth == Depth::with_accuracy) why = add_accuracy(outcome, problem, e, scrutiny);
  return conclude(outcome, first_of({why, against_tolerance(problem, e, outcome.allowed)}));
}

/// All economies without their panels, and the first and drawn ones with them, or all if thorough.
Outcome judge_batch(const Problem& problem, const Equilibrium& batch, const Scrutiny& scrutiny) {
  if (batch.economies.size() != index(problem.economies)) {
    return conclude({}, fmt::format("the solution has {} economies, where {} are asked for",
                                    batch.economies.size(), problem.economies));
  }
  BatchOutcome outcome(
      [&](int economy) { return words_of(economy_of(problem, economy).calibration); });
  numerics::KeptInFull in_full = judged_in_full(problem);
  in_full.draw = static_cast<std::int64_t>(scrutiny.random(hash_of(problem, batch))() >> 1);
  for (int e = 0; e < problem.economies; ++e) {
    const Problem one = economy_of(problem, e);
    const Equilibrium& its = batch.economies[index(e)];
    if (scrutiny.thorough || in_full.place(e) >= 0) {
      const Depth depth = e == 0 ? Depth::with_accuracy : Depth::with_panel;
      outcome.see_in_full(e, judge_equilibrium(one, its, scrutiny, depth));
    } else {
      outcome.see(e, judge_equilibrium(one, its, scrutiny, Depth::without_panel));
    }
  }
  return outcome.outcome(problem.economies);
}

Outcome judged(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny) {
  switch (problem.stage) {
    case Stage::policy:
      return judge_policy(problem, equilibrium, scrutiny);
    case Stage::panel:
      return judge_panel(problem, equilibrium, scrutiny);
    case Stage::all:
      break;
  }
  if (problem.economies > 1) return judge_batch(problem, equilibrium, scrutiny);
  return judge_equilibrium(problem, equilibrium, scrutiny, Depth::with_accuracy);
}

}  // namespace

Outcome judge(const Problem& whole, const Equilibrium& equilibrium, const Scrutiny& scrutiny) {
  const Problem problem = kept_of(whole);
  Outcome outcome = judged(problem, equilibrium, scrutiny);
  if (problem.row_error > 0) {
    outcome.notes["transition matrix"] =
        fmt::format("rows scaled to add up to 1, by {:.3g} at most", problem.row_error);
  }
  return outcome;
}

}  // namespace macrobench::krusell_smith
