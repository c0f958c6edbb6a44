#pragma once

#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench::lifecycle {

/// What judge() records.
OutcomeFigures outcome_figures();
std::vector<AnnouncedStage> announced_stages();

}  // namespace macrobench::lifecycle
