#pragma once

#include <memory>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"

namespace macrobench::krusell_smith {

/// Algorithm A.1: policy, panel and regression in turn until the law of motion that households
/// perceive is the one that they produce. The last cross-section starts the next panel while
/// |B_new - B| is above reuse_tolerance; after outer_cap iterations the tolerance is relaxed
/// tenfold, once, and as many iterations are allowed again.
///
/// Enters the stages "policy", "panel" and "regression". Fills in all of `equilibrium` except its
/// cross-sections and its kind.
void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium);

/// One policy from the first guess under the stored law. Enters the stage "policy".
void find_policy(const Problem& problem, Stages& stages, Equilibrium& equilibrium);

/// One panel from the first cross-section under the stored policy. Enters the stage "panel". Leaves
/// the cross-sections and the kind to the panel method.
void simulate_panel(const Problem& problem, Stages& stages, PanelMethod& panel,
                    Equilibrium& equilibrium);

/// Solves everything, or the one stage of the problem, with a PanelMethod constructed from a
/// problem and its shocks. Its write(equilibrium) hands over its cross-sections after the time has
/// been taken. What is allocated and copied before the first stage is the stage "arrays".
template <class Panel>
void solve_with(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  stages.enter("arrays");
  if (problem.stage == Stage::policy) {
    find_policy(problem, stages, equilibrium);
    return;
  }
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  Panel panel(problem, *shocks);
  if (problem.stage == Stage::panel) {
    simulate_panel(problem, stages, panel, equilibrium);
  } else {
    find_equilibrium(problem, *shocks, stages, panel, equilibrium);
  }
  stages.finish();
  panel.write(equilibrium);
}

/// The law of motion regressed on a path of K, and how well it fits.
struct Regression {
  LawOfMotion law;
  double R2[2];
};

/// Least squares of ln K_{t+1} on ln K_t, separately for the two states, from period burn_in on.
Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K);

}  // namespace macrobench::krusell_smith
