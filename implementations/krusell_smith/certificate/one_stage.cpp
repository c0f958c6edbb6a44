#include "implementations/krusell_smith/certificate/one_stage.hpp"

#include <fmt/format.h>

#include <limits>
#include <random>
#include <utility>

#include "harness/model/solution_arrays.hpp"
#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/euler.hpp"
#include "implementations/krusell_smith/certificate/found.hpp"
#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/certificate/path.hpp"
#include "implementations/krusell_smith/certificate/written.hpp"
#include "implementations/krusell_smith/input/stored.hpp"

namespace macrobench::krusell_smith::certificate {

Outcome conclude(Outcome outcome, std::string why) {
  outcome.why = std::move(why);
  outcome.valid = outcome.why.empty();
  return outcome;
}

Outcome judge_policy(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny) {
  Outcome outcome;
  outcome.iterations = e.policy_iterations;
  outcome.allowed = most_euler_error;
  if (!e.converged) {
    outcome.residual = std::numeric_limits<double>::quiet_NaN();
    outcome.gave_up = true;
    return conclude(
        outcome, fmt::format("not converged: no policy after {} iterations", e.policy_iterations));
  }
  std::string why = against_policy_array(problem, e);
  if (why.empty() && e.law != stored_of(problem)->law) {
    why = "the policy was not solved under the stored law";
  }
  if (why.empty() && e.policy_iterations < 1) {
    why = fmt::format("{} policy iterations found no policy", e.policy_iterations);
  }
  if (!why.empty()) return conclude(outcome, why);

  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PolicyErrors policy = policy_errors(problem, e, scrutiny.thorough, random);
  outcome.residual = policy.largest.error;
  outcome.allowed = policy.allowed;
  outcome.checked_states = policy.count;
  outcome.exhaustive = policy.all;
  outcome.figures["policy_iterations"] = static_cast<double>(e.policy_iterations);
  outcome.figures["policy_error"] = policy.largest.error;
  why = against_policy(problem, policy);
  if (why.empty()) add_law(outcome, e);
  return conclude(outcome, why);
}

Outcome judge_panel(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny) {
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  std::string why = against_panel_arrays(problem, e);
  if (why.empty() && e.outer_iterations != 1) {
    why = fmt::format("{} iterations, where one panel is one", e.outer_iterations);
  }
  if (why.empty()) {
    why = first_of({against_stored_policy(*stored_of(problem), e), against_start(problem, e)});
  }
  if (!why.empty()) return conclude(outcome, why);

  std::mt19937_64 random = scrutiny.random(hash_of(problem, e));
  const PathErrors path = path_errors(problem, e, scrutiny.thorough, random);
  outcome.residual = path.K.error;
  outcome.allowed = path.allowed.K;
  outcome.checked_states = path.count;
  outcome.exhaustive = path.all;
  add_errors(outcome, e, path);
  why = first_of({against_clips(problem, e), against_path(problem, e.kind, path),
                  against_wealth(problem, e), against_top(problem, e, scrutiny), against_fifth(e)});
  add_top(outcome, problem, e);
  if (why.empty()) {
    add_law(outcome, e);
    add_panel(outcome, problem, e);
  }
  return conclude(outcome, why);
}

}  // namespace macrobench::krusell_smith::certificate
