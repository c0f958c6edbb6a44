#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_store.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// "frontier, GPU", "serial_tuned, one core".
std::string name_of_program(const Record& record, bool on_gpu);

/// The times of all programs of a folder, by the problem that they solve.
class ProblemTimes {
 public:
  explicit ProblemTimes(const Results& results);

  /// Calls back with every time of right results, as exact as the row requires, of the problem that
  /// the row's own case solves in the column: its economics, size and precision.
  void for_each(const Definition& table, const RowDefinition& row, std::size_t column,
                const std::function<void(const Record& record, const Cell& time)>& use) const;

 private:
  std::vector<const Record*> records_;
  std::shared_ptr<const FolderTimes> times_;
};

}  // namespace macrobench
