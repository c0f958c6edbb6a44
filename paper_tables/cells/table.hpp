#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/numbers/cell.hpp"
#include "harness/numbers/law.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"

namespace macrobench {

struct TableRow {
  const RowDefinition* definition = nullptr;
  std::string implementation = {};  ///< for a ratio, its numerator's
  Parameters parameters = {};       ///< the same
  std::string baseline = {};        ///< for a ratio: "CPU", "aldrich_2010/table_5: CPU"
  std::vector<Cell> cells = {};     ///< one per column
};

struct TableGroup {
  std::string label;
  std::vector<TableRow> rows = {};
};

/// A published table with this machine's numbers in it. Refers to its definition.
struct Table {
  const Definition* definition = nullptr;
  std::string machine;       ///< the name of its folder of results
  std::string machine_text;  ///< the same for a reader
  std::vector<TableGroup> groups;
  std::vector<TableGroup> needs = {};  ///< what other pages name: it is not printed
};

/// How a table's published numbers were come by here.
struct CellCounts {
  int printed = 0;
  int measured = 0;
  int ratios = 0;    ///< of two measured cells, where the paper prints a ratio
  int computed = 0;  ///< otherwise, from other cells, in the row's own words
  int extrapolated = 0;

  /// No run, no right result, a time that is not believed, or a ratio that is not divided.
  [[nodiscard]] int without() const {
    return printed - measured - ratios - computed - extrapolated;
  }
};

/// A model's constants are none of them.
CellCounts count_cells(const Table& table);

/// How many times faster than published each cell of a row of times is. Empty if all are refused.
std::vector<Ratio> speed_ups_of(const TableRow& row);

/// The differences that the two rows request in these columns.
Aspects meant_differences(const RowPlace& above, std::size_t column_above, const RowPlace& below,
                          std::size_t column_below);

/// Fills in the table. A time is the median of its samples; a cell that was not run is extrapolated
/// if its row has three or more smaller measured cells and none that is wrong, or computed if its
/// row says from what; a ratio has the status of its cells. `folder` is the name of the results'
/// folder, `machine` the one whose numbers `lookup` finds.
Table make_table(const Definition& definition, Definitions& all, const Lookup& lookup,
                 const std::string& folder, const Machine& machine);

/// One row as it would be in the table, whose definition need not have it.
TableRow make_row(const Definition& definition, const RowDefinition& row, Definitions& all,
                  const Lookup& lookup, const Machine& machine);

/// The cells that the row's law of growth goes by.
std::vector<SizedCell> law_cells_of(const Definition& definition, const RowDefinition& row,
                                    Definitions& all, const Lookup& lookup, const Machine& machine);

/// Rows by make_row(), each made once. Its arguments must outlive it.
class MadeRows {
 public:
  MadeRows(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all), lookup_(lookup), machine_(machine) {}

  const TableRow& operator()(const RowPlace& place);

 private:
  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  std::map<const RowDefinition*, TableRow> rows_;
};

}  // namespace macrobench
