#pragma once

#include <memory>

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/one_stage.hpp"

namespace macrobench::krusell_smith {

/// Solves everything, or the one stage of the problem, with a PanelMethod constructed from a
/// problem and its shocks. Its write(equilibrium) hands over its cross-sections after the time has
/// been taken. What is allocated and copied before the first stage is the stage "arrays".
///
/// find(shocks, panel) finds the equilibrium. A panel that draws its own employment takes its
/// shocks from another function than shocks_of().
template <class Panel, class Find>
void solve_with(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                ShocksOf its_shocks, const Find& find) {
  stages.enter("arrays");
  if (problem.stage == Stage::policy) {
    find_policy(problem, stages, equilibrium);
    return;
  }
  const std::shared_ptr<const Shocks> shocks = its_shocks(problem);
  Panel panel(problem, *shocks);
  if (problem.stage == Stage::panel) {
    simulate_panel(problem, stages, panel, equilibrium);
  } else {
    find(*shocks, panel);
  }
  stages.finish();
  panel.write(equilibrium);
}

}  // namespace macrobench::krusell_smith
