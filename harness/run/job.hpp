#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/records/record.hpp"
#include "harness/run/sampler.hpp"

namespace macrobench {

// The messages between the runner and its child process: the job on the child's standard input; on
// descriptor 3 one JSON object per line, {"at": "start-up"} any number of times, and at the end
// {"answer": ...} or {"error": "one sentence"}.

template <class Struct>
class JsonFields;

inline constexpr int answer_descriptor = 3;

/// What a child process must do.
struct Job {
  std::string implementation;  ///< "rbc/serial"
  Parameters parameters;
  Sampling sampling = {};
  bool thorough = false;
  std::string draw = {};  ///< of another check, to be repeated; empty: a new one
  bool repeats = true;    ///< warm solutions too, not only the first
  /// The fingerprint of a result that another process has already checked; empty: none.
  std::string checked = {};
  /// The folder for the first solution if it is valid; empty: none.
  std::string out = {};
  /// The same beside the record, which names it: no larger than largest_stored_solution.
  std::string store = {};
  /// A stored solution, a folder or a file, which is checked and nothing is solved; empty: none.
  std::string certify = {};
  std::string certify_key = {};  ///< the key in that file
  /// The seconds that the process has for everything, if it is to measure its energy too.
  std::optional<double> energy_within = {};
  /// The same, if it is to measure its GPU's memory too.
  std::optional<double> memory_within = {};
  /// On which threads may run; the child's first thread may itself be held to one of them.
  std::optional<int> cores = {};
};

/// A stored solution that would be larger is not written.
inline constexpr std::size_t largest_stored_solution = std::size_t{64} << 20;

struct JobAnswer {
  Sample sample;
  std::optional<Outcome> outcome;  ///< absent if the result has already been checked
  std::string fingerprint = {};
  std::string solution = {};  ///< SHA-256 of the solution that was stored, if it was
};

/// Reading throws if the JSON is not one.
const JsonFields<Job>& job_fields();
const JsonFields<JobAnswer>& job_answer_fields();

}  // namespace macrobench
