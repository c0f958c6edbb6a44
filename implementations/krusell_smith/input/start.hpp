#pragma once

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Start-up for every panel: draws or reads the inputs of the problem's stages, and starts its
/// policy method.
void start_panel_with(const Problem& problem, ShocksOf its_shocks);
inline void start_panel(const Problem& problem) {
  start_panel_with(problem, shocks_of);
}

}  // namespace macrobench::krusell_smith
