#pragma once

#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/floors/ceilings.hpp"
#include "paper_tables/times/program_times.hpp"

namespace macrobench {

/// What a case takes, by the clock of who waits for it; without a value if there is no sample of
/// that kind.
struct CaseTimes {
  std::string key;
  bool is_gpu = false;
  Cell start = {};                       ///< the device's context and libraries, in a new process
  Cell first = {};                       ///< the first solution after it
  Cell warm = {};                        ///< a solution after the first
  Cell total = {};                       ///< start-up and the first solution of the same process
  Memory memory = {};                    ///< the most that it had
  std::optional<FloorShare> floor = {};  ///< if the machine's ceilings are known

  /// Warm, or the first if there is no warm one.
  [[nodiscard]] const Cell& solution() const { return warm.value ? warm : first; }
};

/// The times of a case by its record.
CaseTimes times_of(const Record& record, const FolderTimes& times);

struct Times {
  std::vector<CaseTimes> cases;        ///< of right results, by key
  std::vector<ProgramTimes> programs;  ///< of right results, in the order of the cases
};

Times times_of(const Results& results);

/// The programs and, if `has_cases` or there are none, each case's times.
Document document_of(const Times& times, const std::string& machine, bool has_cases);
/// "cases" and "programs".
std::vector<Sheet> sheets_of(const Times& times);

}  // namespace macrobench
