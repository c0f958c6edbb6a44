#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

const AxisTable<Problem>& axes();

/// Throws UsageError if values that are each allowed do not work together.
void check_parameters(const Parameters& parameters);

}  // namespace macrobench::beliefs
