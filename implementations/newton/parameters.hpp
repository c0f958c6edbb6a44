#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/newton/model.hpp"

namespace macrobench::newton {

const AxisTable<Problem>& axes();

/// Throws UsageError where values that are each allowed do not go together.
void check_parameters(const Parameters& parameters);

}  // namespace macrobench::newton
