#pragma once

#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench {

/// The cases of `ceilings_model` that can run here: copies and multiply-adds, in both precisions,
/// on one core and on all.
std::vector<Case> ceiling_cases(int cores);

}  // namespace macrobench
