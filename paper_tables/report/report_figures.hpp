#pragma once

#include <vector>

#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/definitions/definition.hpp"
#include "paper_tables/definitions/prices.hpp"
#include "paper_tables/report/plot.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

/// What the papers plot, with this machine's lines beside theirs: of the tables that are here, and
/// of the models' own figures. `published` are the prices of Aldrich (2014), `here` those of this
/// machine.
std::vector<Plot> paper_plots(const std::vector<Table>& tables, const Prices& published,
                              const Prices& here);

/// How many times faster than each machine in print: a geometric mean a table, with its range.
Plot speed_up_plot(const std::vector<Comparison>& comparisons);

}  // namespace macrobench
