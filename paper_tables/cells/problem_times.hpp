#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/numbers/cell.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_store.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// "frontier, GPU", "serial_tuned, one core".
std::string name_of_program(const Record& record, bool on_gpu);

/// A number that a run gave: measured, or computed from what was.
bool is_of_a_run(const Cell& cell);

/// True if the time is one of a run, and the other one is longer or missing.
bool is_faster(const Cell& cell, const Cell& than);

/// A program's time for a problem, in seconds.
struct ProgramTime {
  std::string program = {};
  Cell cell = {};
};

/// The times of all programs of a folder, by the problem that they solve.
class ProblemTimes {
 public:
  explicit ProblemTimes(const Results& results);

  /// The fastest time of right results, as exact as the row requires, of the problem that the row's
  /// own case solves in the column: its economics, size and precision. No value if none is faster
  /// than the given one; without it, one that was run if none has a time.
  [[nodiscard]] std::optional<ProgramTime> fastest(const Definition& table,
                                                   const RowDefinition& row, std::size_t column,
                                                   const std::optional<Cell>& than) const;

 private:
  std::vector<const Record*> records_;
  std::shared_ptr<const FolderTimes> times_;
};

}  // namespace macrobench
