#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/numbers/cell.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record.hpp"
#include "paper_tables/cells/definition.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/place.hpp"

namespace macrobench {

/// How a cell is computed, and from what: from the records of its row's own case,
using CellOfRecord = Cell (*)(const Finding& finding, const RowDefinition& row,
                              const ColumnDefinition& column);
/// from the cells of the row's numerator and its baseline in the column,
using CellOfCells = Cell (*)(const Cell& numerator, const Cell& baseline, const RowDefinition& row,
                             const Aspects& about);
/// from the measured records of these two,
using CellOfRecords = Cell (*)(const Finding& numerator, const Finding& baseline,
                               const RowDefinition& row);
/// or from no run: from the model alone.
using CellOfNoRun = Cell (*)(const Definition& table, const RowDefinition& row, std::size_t column);

/// Everything about a quantity: how its row is read, computed and named.
struct QuantityDescription {
  Quantity quantity;
  std::string_view name;        ///< in definitions, JSON and CSV
  std::string_view unit = "1";  ///< if a row names none: "s" for times only
  std::variant<CellOfRecord, CellOfCells, CellOfRecords, CellOfNoRun> cell;
  std::optional<Phase> phase = {};            ///< of a time that is one of a phase
  std::vector<std::string_view> fields = {};  ///< of a row in a definition, that no other has
  void (*read)(const Place& place, const Definition& table,
               RowDefinition& row) = nullptr;  ///< them
  std::string_view of = {};  ///< in JSON, RowDefinition::of or RowDefinition::stages
  bool is_exact = false;     ///< shown with as many digits as the papers print

  [[nodiscard]] bool is_time() const { return unit == "s"; }
  [[nodiscard]] bool is_run() const { return std::holds_alternative<CellOfRecord>(cell); }
  [[nodiscard]] bool is_of_no_run() const { return std::holds_alternative<CellOfNoRun>(cell); }
};

/// Every quantity.
const std::vector<QuantityDescription>& quantities();

const QuantityDescription& description_of(Quantity quantity);

/// The part of a run that a row of the quantity times.
Scope scope_of(Quantity quantity);

/// "23.9 s", "0.041%", "62": a pure number has the unit "1", and shows none.
std::string with_unit(const std::string& number, const std::string& unit);

/// The times that a record gives a row, by process: seconds of its phase, or of its stages in each
/// solution, over the iterations if the row is per iteration; empty if the record has none.
SecondsByProcess seconds_of(const Record& record, const RowDefinition& row);

/// The time of the finding's records together.
Cell time_of(const Finding& finding, const RowDefinition& row);

}  // namespace macrobench
