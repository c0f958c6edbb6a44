#pragma once

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"
#include "implementations/krusell_smith/solve.hpp"

namespace macrobench::krusell_smith {

/// Algorithm A.1 of Hatcher and Scheffel (2014): policy, panel and regression in turn until the law
/// of motion that households perceive is the one that they produce. The last cross-section starts
/// the next panel while |B_new - B| is above reuse_tolerance; after outer_cap iterations the
/// tolerance is relaxed tenfold, once, and as many iterations are allowed again.
///
/// Enters the stages "policy", "panel" and "regression". Fills in all of `equilibrium` except its
/// cross-sections and its kind.
void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium);

/// solve_with() by it.
template <class Panel>
void solve_as_published(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  solve_with<Panel>(problem, stages, equilibrium, shocks_of,
                    [&](const Shocks& shocks, Panel& panel) {
                      find_equilibrium(problem, shocks, stages, panel, equilibrium);
                    });
}

}  // namespace macrobench::krusell_smith
