#pragma once

#include <vector>

#include "paper_tables/plots/plot.hpp"
#include "paper_tables/times/work_precision.hpp"

namespace macrobench {

/// What precision costs, a figure a model and a panel a problem: the seconds of a solution against
/// the residual that the certificate found, a line an implementation.
std::vector<Plot> precision_plots(const std::vector<WorkPrecision>& all);

}  // namespace macrobench
