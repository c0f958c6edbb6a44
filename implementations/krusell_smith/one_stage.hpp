#pragma once

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"

namespace macrobench::krusell_smith {

/// One policy from the first guess under the stored law. Enters the stage "policy".
void find_policy(const Problem& problem, Stages& stages, Equilibrium& equilibrium);

/// One panel from the first cross-section under the stored policy. Enters the stage "panel". Leaves
/// the cross-sections and the kind to the panel method.
void simulate_panel(const Problem& problem, Stages& stages, PanelMethod& panel,
                    Equilibrium& equilibrium);

}  // namespace macrobench::krusell_smith
