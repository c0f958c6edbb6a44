#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

const AxisTable<Problem>& axes();

/// Throws UsageError if values that are each allowed do not work together.
void check_parameters(const Parameters& parameters);

}  // namespace macrobench::rbc
