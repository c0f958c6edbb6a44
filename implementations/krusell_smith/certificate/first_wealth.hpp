#pragma once

#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

/// The cross-section that a panel begins with, computed by other code than input/wealth: wealth of
/// the agents, shape N, or a histogram's weights by employment, shape 2 x histogram_points. Only
/// what a user's file holds is read by the same code.
std::vector<double> first_cross_section(const Problem& problem, PanelKind kind);

}  // namespace macrobench::krusell_smith::certificate
