#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/plots/plot.hpp"

namespace macrobench {

/// What the papers plot, as FOLDER/<paper>/figures.json says (schema 1), with this machine's lines
/// beside theirs: cells of tables, and the models' own figures. Throws UsageError with the file and
/// the JSON pointer: also for a table, row, column or model's figure that is not there.
std::vector<Plot> paper_plots(Definitions& all, const Lookup& lookup, const Machine& machine);

/// Throws as paper_plots() does if it cannot read this file, but computes no curve of a model.
void check_figures(const std::filesystem::path& file, Definitions& all);

}  // namespace macrobench
