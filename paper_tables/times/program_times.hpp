#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/numbers/pool.hpp"
#include "harness/records/record.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/lookup.hpp"

namespace macrobench {

/// What a program from outside takes, from its launch on. Medians, in seconds.
struct ProgramTimes {
  std::string key;
  std::string problem = {};  ///< "rbc, nk=1024 nz=4 maximizer=bisection": its rows stand together
  std::string name = {};     ///< "jax threads=2"
  std::string origin = {};   ///< of its record
  bool is_gpu = false;
  double process = 0;                ///< its launch
  double start = 0;                  ///< libraries and device, after that
  std::optional<double> first = {};  ///< the first solution: what is compiled at first use is in it
  std::optional<double> warm = {};   ///< a solution after the first
  /// The fastest of ours of the same algorithm, problem and precision, on a GPU as it or on a CPU
  /// as it, with any number of threads; empty if there is none.
  std::string best = {};
  std::string best_name = {};  ///< "thrust_omp threads=2"
  std::optional<double> best_first = {};
  std::optional<double> best_warm = {};
  std::string drift = {};  ///< as joined_campaigns() says of the two records

  /// From the launch to the end of so many solutions in one process; none if one is not known.
  [[nodiscard]] std::optional<double> until(int solutions) const;
};

/// Of each record of a program. All must be measured, a record a key. What a paper published, or a
/// correction of it, has the algorithm that the parameters name, on several devices too; a frontier
/// has its own.
std::vector<ProgramTimes> program_times_of(const std::vector<const Record*>& measured,
                                           const Pool& pool);

/// Nothing without a program.
std::vector<Block> blocks_of(const std::vector<ProgramTimes>& programs);
nlohmann::ordered_json to_json(const std::vector<ProgramTimes>& programs);

}  // namespace macrobench
