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
/// Of a batch, all economies take each turn together, until their own is the last; the results are
/// in equilibrium.economies, and the panel must be one of as many economies.
///
/// Enters the stages "policy", "panel" and "regression". Fills in all of `equilibrium` except its
/// cross-sections and its kind.
void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium);

/// The same equilibrium in fewer panels: a quasi-Newton method on the law's four coefficients. The
/// derivatives, and a law to begin with, come from `few`, a panel of `few_shocks`: the first
/// agents. A law and the four that its derivatives need are tried together, each from the same
/// policy. Then all agents follow. Their first panel is only there for its last cross-section,
/// which starts all others (unless its |B_new - B| is within reuse_tolerance). A step that does not
/// halve |B_new - B| is followed by one of the published loop's.
///
/// Enters the stage "few agents" for all that these do; else as above. Its outer iterations are the
/// panels of all agents.
void find_equilibrium_by_newton(const Problem& problem, const Shocks& few_shocks, PanelMethod& few,
                                const Shocks& shocks, PanelMethod& panel, Stages& stages,
                                Equilibrium& equilibrium);

/// The problem with few agents, as a quasi-Newton method takes them: a tenth, from 1,024 to 10,240,
/// or all of at most 2,048; their first wealth is initial_wealth().
Problem with_few_agents(const Problem& problem);

/// One policy from the first guess under the stored law. Enters the stage "policy".
void find_policy(const Problem& problem, Stages& stages, Equilibrium& equilibrium);

/// One panel from the first cross-section under the stored policy. Enters the stage "panel". Leaves
/// the cross-sections and the kind to the panel method.
void simulate_panel(const Problem& problem, Stages& stages, PanelMethod& panel,
                    Equilibrium& equilibrium);

/// Solves everything, or the one stage of the problem, with a PanelMethod constructed from a
/// problem and its shocks. Its write(equilibrium) hands over its cross-sections after the time has
/// been taken. What is allocated and copied before the first stage is the stage "arrays".
/// A panel that draws its own employment takes its shocks from another function than shocks_of().
template <class Panel>
void solve_with_shocks(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                       ShocksOf its_shocks) {
  stages.enter("arrays");
  if (problem.stage == Stage::policy) {
    find_policy(problem, stages, equilibrium);
    return;
  }
  const std::shared_ptr<const Shocks> shocks = its_shocks(problem);
  Panel panel(problem, *shocks);
  if (problem.stage == Stage::panel) {
    simulate_panel(problem, stages, panel, equilibrium);
  } else if (problem.law_update == LawUpdate::quasi_newton) {
    const Problem of_few = with_few_agents(problem);
    const Shocks few_shocks = first_agents(*shocks, of_few.N);
    Panel few(of_few, few_shocks);
    find_equilibrium_by_newton(problem, few_shocks, few, *shocks, panel, stages, equilibrium);
  } else {
    find_equilibrium(problem, *shocks, stages, panel, equilibrium);
  }
  stages.finish();
  panel.write(equilibrium);
}

template <class Panel>
void solve_with(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  solve_with_shocks<Panel>(problem, stages, equilibrium, shocks_of);
}

/// The law of motion regressed on a path of K, and how well it fits.
struct Regression {
  LawOfMotion law;
  double R2[2];
};

/// Least squares of ln K_{t+1} on ln K_t, separately for the two states, from period burn_in on.
Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K);

}  // namespace macrobench::krusell_smith
