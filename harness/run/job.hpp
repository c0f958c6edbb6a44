#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/records/record.hpp"
#include "harness/run/sampler.hpp"

namespace macrobench {

// What the runner and its child process say to each other: the job on the child's standard input;
// on descriptor 3 one JSON object a line, {"at": "start-up"} any number of times, and at the end
// {"answer": ...} or {"error": "one sentence"}.

inline constexpr int answer_descriptor = 3;

/// What a child process is to do.
struct Job {
  std::string implementation;  ///< "rbc/serial"
  Parameters parameters;
  Sampling sampling;
  bool thorough = false;
  bool repeats = true;  ///< warm solutions too, not only the first
  /// The fingerprint of a result that another process has checked already.
  std::optional<std::uint64_t> checked;
  std::string save;  ///< the file that the first solution goes to if it is valid; empty: none
};

struct JobAnswer {
  Sample sample;
  std::optional<Outcome> outcome;  ///< absent where the result is the one that was checked already
  std::uint64_t fingerprint = 0;
};

nlohmann::ordered_json to_json(const Job& job);
nlohmann::ordered_json to_json(const JobAnswer& answer);
/// Both throw where it is none.
Job job_from_json(const nlohmann::json& json);
JobAnswer job_answer_from_json(const nlohmann::json& json);

}  // namespace macrobench
