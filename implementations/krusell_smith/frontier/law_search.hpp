#pragma once

#include <memory>

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"
#include "implementations/krusell_smith/solve.hpp"

namespace macrobench::krusell_smith {

/// The published loop (published/outer_loop.hpp) for a batch: all economies take each turn
/// together, until their own is the last. The results are in equilibrium.economies, and the panel
/// must be one of as many economies. Of one economy it is the published loop.
void find_equilibria(const Problem& problem, const Shocks& shocks, Stages& stages,
                     PanelMethod& panel, Equilibrium& equilibrium);

/// The same equilibria in fewer panels: a quasi-Newton method on the law's four coefficients. It
/// starts from representative_law(), or if that finds no law, from K' = K. The derivatives come
/// from `few`, a panel of `few_shocks`: the first agents. A law and the four that its derivatives
/// need are tried together, each from the same policy. Then all agents follow, each panel from the
/// given cross-section; with reuse_tolerance below 1, the first is only there for its last
/// cross-section, which starts all others (unless its |B_new - B| is within reuse_tolerance). A
/// step that does not halve |B_new - B| is followed by one of the published loop's.
///
/// Enters the stage "few agents" for all that these do; else as above. Its outer iterations are the
/// panels of all agents.
void find_equilibria_by_newton(const Problem& problem, const Shocks& few_shocks, PanelMethod& few,
                               const Shocks& shocks, PanelMethod& panel, Stages& stages,
                               Equilibrium& equilibrium);

/// The problem with few agents, as a quasi-Newton method takes them: a tenth, from 1,024 to 10,240,
/// or all of at most 2,048; their first wealth is initial_wealth().
Problem with_few_agents(const Problem& problem);

/// Their periods: 400 after the burn-in, or all of the problem's if one aggregate state is rare in
/// these (in a user's file, or by a user's probabilities): each state's line needs some.
int periods_of_few(const Problem& problem, const Shocks& shocks);

/// solve_with() by the problem's law_update, with the shocks that this function gives.
template <class Panel>
void solve_by_search_with(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                          ShocksOf its_shocks) {
  const auto find = [&](const Shocks& shocks, Panel& panel) {
    if (problem.law_update == LawUpdate::relaxation) {
      return find_equilibria(problem, shocks, stages, panel, equilibrium);
    }
    Problem of_few = with_few_agents(problem);
    of_few.T = periods_of_few(problem, shocks);
    const Shocks few_shocks = first_agents(shocks, of_few.N, of_few.T);
    Panel few(of_few, few_shocks);
    find_equilibria_by_newton(problem, few_shocks, few, shocks, panel, stages, equilibrium);
  };
  solve_with<Panel>(problem, stages, equilibrium, its_shocks, find);
}

template <class Panel>
void solve_by_search(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  solve_by_search_with<Panel>(problem, stages, equilibrium, shocks_of);
}

}  // namespace macrobench::krusell_smith
