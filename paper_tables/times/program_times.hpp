#pragma once

#include <string>
#include <vector>

#include "harness/numbers/folder_times.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/record.hpp"
#include "harness/tables/sheet.hpp"
#include "paper_tables/cells/lookup.hpp"

namespace macrobench {

/// What a program from outside takes, from its launch on. Medians, in seconds.
struct ProgramTimes {
  std::string key;
  std::string problem = {};  ///< "rbc, nk=1024 nz=4 maximizer=bisection": its rows stand together
  std::string name = {};     ///< "jax threads=2"
  std::string origin = {};   ///< of its record
  bool is_gpu = false;
  Cell process = {};   ///< its launch
  Cell start = {};     ///< libraries and device, after that
  Cell first = {};     ///< the first solution: what is compiled at first use is in it
  Cell warm = {};      ///< a solution after the first
  Memory memory = {};  ///< the most that it had
  /// The fastest of ours of the same algorithm, problem and precision, on a GPU as it or on a CPU
  /// as it, with any number of threads; empty if there is none.
  std::string best = {};
  std::string best_name = {};  ///< "thrust_omp threads=2"
  Ratio first_over_best = {}, warm_over_best = {};

  /// From the launch to the end of so many solutions in one process; without a value if one is not
  /// known.
  [[nodiscard]] Cell until(int solutions) const;
};

/// The times of each case of a program. What a paper published, or a correction
/// of it, has the algorithm that the parameters name, on several devices too; a frontier has its
/// own.
std::vector<ProgramTimes> program_times_of(const std::vector<const Record*>& measured,
                                           const FolderTimes& times);

/// "programs": a row for each, under this caption.
Sheet sheet_of(const std::vector<ProgramTimes>& programs, const std::string& caption = "");
/// A sheet for each of their groups, and what its columns mean; nothing without a program.
std::vector<Block> blocks_of(const std::vector<ProgramTimes>& programs, Notes& notes);

}  // namespace macrobench
