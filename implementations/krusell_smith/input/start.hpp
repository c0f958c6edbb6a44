#pragma once

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Start-up, whatever the panel: draws or reads what the problem's stages begin with, and starts
/// its policy method.
void start_panel(const Problem& problem);

}  // namespace macrobench::krusell_smith
