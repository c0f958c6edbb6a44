#include "implementations/krusell_smith/one_stage.hpp"

#include <memory>
#include <utility>

#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

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
