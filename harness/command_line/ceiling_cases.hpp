#pragma once

#include <vector>

#include "harness/model/registry.hpp"

namespace macrobench {

/// The model whose cases are what a processor does at its best: no problem of a paper.
inline constexpr const char* ceilings_model = "roofline";

/// Its cases that can run here: copies and multiply-adds, in both precisions, on one core and on
/// all.
std::vector<Case> ceiling_cases(int cores);

}  // namespace macrobench
