#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/roofline/model.hpp"

namespace macrobench::roofline {

const AxisTable<Problem>& axes();

/// Throws UsageError where values that are each allowed do not go together.
void check_parameters(const Parameters& parameters);

}  // namespace macrobench::roofline
