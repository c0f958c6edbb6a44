#include "implementations/krusell_smith/outer_loop.hpp"

#include <cmath>
#include <utility>

#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K) {
  Regression result{};
  const auto first = static_cast<std::size_t>(burn_in);
  for (const int a : {bad, good}) {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    const auto for_each = [&](const auto& use) {
      for (std::size_t t = first; t + 1 < K.size(); ++t) {
        if (shocks.states[t] == a) use(std::log(K[t]), std::log(K[t + 1]));
      }
    };
    for_each([&](double x, double y) {
      ++count;
      mean_x += x;
      mean_y += y;
    });
    mean_x /= count;
    mean_y /= count;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for_each([&](double x, double y) {
      xx += (x - mean_x) * (x - mean_x);
      xy += (x - mean_x) * (y - mean_y);
      yy += (y - mean_y) * (y - mean_y);
    });
    result.law.b1[a] = xy / xx;
    result.law.b0[a] = mean_y - result.law.b1[a] * mean_x;
    result.R2[a] = xy * xy / (xx * yy);
  }
  return result;
}

void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium) {
  const std::unique_ptr<PolicyMethod> method = make_policy_method(problem);
  LawOfMotion law;
  std::vector<double> policy = first_policy(problem.grids);
  std::vector<double> K(static_cast<std::size_t>(problem.T));
  double tolerance = problem.tolerance;

  equilibrium.K_fifth.clear();
  for (int n = 1; n <= 2 * problem.outer_cap; ++n) {
    stages.enter("policy");
    const int iterations = method->improve(law, policy);
    equilibrium.policy_iterations += iterations;
    if (n == 1) equilibrium.first_policy_iterations = iterations;

    stages.enter("panel");
    equilibrium.clips = panel.simulate(policy, K);

    stages.enter("regression");
    const Regression regression = regress(shocks, problem.burn_in, K);
    equilibrium.law = law;
    equilibrium.estimated = regression.law;
    equilibrium.R2[bad] = regression.R2[bad];
    equilibrium.R2[good] = regression.R2[good];
    equilibrium.outer_iterations = n;
    equilibrium.distance = distance(regression.law, law);
    if (n == 5) equilibrium.K_fifth = K;

    equilibrium.converged =
        equilibrium.distance < tolerance && iterations <= problem.policy_cap && method->is_exact();
    if (equilibrium.converged || !std::isfinite(equilibrium.distance)) break;
    if (n == problem.outer_cap) {
      tolerance *= 10;
      equilibrium.relaxed = true;
    }
    if (n == 2 * problem.outer_cap) break;
    if (equilibrium.distance > problem.reuse_tolerance) panel.keep_last();
    for (const int a : {bad, good}) {
      const double weight = problem.relaxation;
      law.b0[a] = weight * regression.law.b0[a] + (1 - weight) * law.b0[a];
      law.b1[a] = weight * regression.law.b1[a] + (1 - weight) * law.b1[a];
    }
  }
  if (equilibrium.K_fifth.empty()) equilibrium.K_fifth = K;
  equilibrium.policy = std::move(policy);
  equilibrium.K = std::move(K);
}

void find_policy(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const std::unique_ptr<PolicyMethod> method = make_policy_method(problem);
  equilibrium.law = stored_of(problem)->law;

  stages.enter("policy");
  SolvedPolicy solved = solve_policy(problem, equilibrium.law, *method);
  stages.finish();

  equilibrium.policy = std::move(solved.policy);
  equilibrium.policy_iterations = solved.iterations;
  equilibrium.converged = solved.converged;
}

void simulate_panel(const Problem& problem, Stages& stages, PanelMethod& panel,
                    Equilibrium& equilibrium) {
  const std::shared_ptr<const Stored> stored = stored_of(problem);
  stages.enter("panel");
  equilibrium.clips = panel.simulate(stored->policy, equilibrium.K);
  stages.finish();

  equilibrium.law = stored->law;
  equilibrium.policy = stored->policy;
  equilibrium.K_fifth = equilibrium.K;
  equilibrium.outer_iterations = 1;
}

}  // namespace macrobench::krusell_smith
