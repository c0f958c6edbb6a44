#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/case_hint.hpp"
#include "harness/model/registry.hpp"
#include "paper_tables/cells/definition.hpp"
#include "paper_tables/cells/lookup.hpp"

namespace macrobench {

/// What the cell in that column of a row requests. The row must be one that runs something.
CellRequest request_of(const Definition& definition, const RowDefinition& row,
                       const ColumnDefinition& column);
/// Returns what the row's program ran on when published: "C2075"; the machine's id if that has no
/// short name.
std::string published_on(const Definition& definition, const RowDefinition& row,
                         const ColumnDefinition& column);

/// What the tables need to run, each case once: their rows' cells in the tables' order, then those
/// of the rows of other tables that they refer to.
struct Plan {
  std::vector<Case> cases;
  /// Cells of implementations that this build leaves out.
  std::vector<CellRequest> left_out;
  /// By key: the shortest published time, of its column if it has none itself, whether a published
  /// row needs it, and the group of cases that ratios of one column join.
  std::map<std::string, CaseHint> hints;
};

/// Cells by their row and column.
using CellSet = std::set<std::pair<const RowDefinition*, std::size_t>>;

/// The cases of the headlines come first within a budget.
Plan plan_of(const std::vector<const Definition*>& tables, Tables& all, int cores,
             const CellSet& headlines = {});

}  // namespace macrobench
