#pragma once

#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench::lifecycle {

/// What judge() records.
OutcomeFigures outcome_figures();
std::vector<AnnouncedStage> announced_stages();
ArrayUnits array_units();

}  // namespace macrobench::lifecycle
