#pragma once

#include <vector>

#include "harness/model/registry.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// k' - k under the law of motion that Maliar, Maliar and Valli (2010) find, as Figures B.1 to B.3
/// of Hatcher and Scheffel (2014) plot it: columns "k", then one for each state.
///
/// At all nodes of the grid, with a column "K" after "k".
Curves saving_surfaces(const Problem& problem);
/// At K = 39 and `points` values of k between two, by splines in both.
Curves saving_at_K_39(const Problem& problem, double lowest, double highest, int points);

/// What judge() records.
OutcomeFigures outcome_figures();
std::vector<AnnouncedStage> announced_stages();
ArrayUnits array_units();

}  // namespace macrobench::krusell_smith
