#include "implementations/krusell_smith/published/outer_loop.hpp"

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/regression.hpp"

namespace macrobench::krusell_smith {

void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium) {
  // Step 1: the first guess of the policy and of the law, B = [0 1; 0 1].
  const std::unique_ptr<PolicyMethod> household = make_policy_method(problem);
  std::vector<double> policy = first_policy(problem.grids);
  std::vector<double> K(static_cast<std::size_t>(problem.T));
  LawOfMotion B;
  equilibrium.K_fifth.clear();

  for (int n = 1;; ++n) {
    // Step 2: the household's policy under B.
    stages.enter("policy");
    const int policy_iterations = household->improve(B, policy);
    equilibrium.policy_iterations += policy_iterations;
    if (n == 1) equilibrium.first_policy_iterations = policy_iterations;

    // Step 3: the panel under that policy.
    stages.enter("panel");
    equilibrium.clips = panel.simulate(policy, K);
    if (n == 5) equilibrium.K_fifth = K;

    // Step 4: the regression on its path of K.
    stages.enter("regression");
    const Regression found = regress(shocks, problem.burn_in, K);
    equilibrium.law = B;
    equilibrium.estimated = found.law;
    for (const int a : {bad, good}) equilibrium.R2[a] = found.R2[a];
    equilibrium.distance = distance(found.law, B);
    equilibrium.outer_iterations = n;

    // The end: B_new is near enough to B, or there may be no more. The dagger is for the tolerance
    // that was relaxed.
    const double tolerance = problem.tolerance * (equilibrium.relaxed ? 10 : 1);
    equilibrium.converged = equilibrium.distance < tolerance &&
                            policy_iterations <= problem.policy_cap && household->is_exact();
    if (equilibrium.converged || !std::isfinite(equilibrium.distance)) break;
    if (n == 2 * problem.outer_cap) break;
    if (n == problem.outer_cap) equilibrium.relaxed = true;

    if (is_reused(problem, equilibrium.distance)) panel.keep_last();
    // Step 5: the next law, a part of the way from B to B_new.
    B = relaxed(B, found.law, problem.relaxation);
  }
  if (equilibrium.K_fifth.empty()) equilibrium.K_fifth = K;
  equilibrium.policy = std::move(policy);
  equilibrium.K = std::move(K);
}

}  // namespace macrobench::krusell_smith
