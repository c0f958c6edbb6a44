#pragma once

#include <vector>

#include "harness/records/machine.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/report/figure_definition.hpp"
#include "paper_tables/report/plot.hpp"

namespace macrobench {

/// What the papers plot, with this machine's lines beside theirs: of the tables, and of the models'
/// own figures. Throws UsageError, as read_figures().
std::vector<Plot> paper_plots(Definitions& all, const Lookup& lookup, const Machine& machine);

/// How many times faster than each machine in print: a geometric mean a table, with its range.
Plot speed_up_plot(const std::vector<Comparison>& comparisons);

}  // namespace macrobench
