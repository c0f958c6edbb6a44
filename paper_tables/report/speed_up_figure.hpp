#pragma once

#include <vector>

#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/plots/plot.hpp"

namespace macrobench {

/// How many times faster than each machine in print: a geometric mean a table, with its range.
Plot speed_up_plot(const std::vector<Comparison>& comparisons, Definitions& all);

}  // namespace macrobench
