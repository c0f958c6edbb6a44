#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

const AxisTable<Problem>& axes();

/// Throws UsageError if values that are each allowed do not work together.
void check_parameters(const Parameters& parameters);

}  // namespace macrobench::krusell_smith
