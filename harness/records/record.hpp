#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/records/reason.hpp"

namespace macrobench {

/// How a number came about, or why there is none.
enum class Status {
  measured,
  computed,      ///< from measured parts: a ratio, a total
  extrapolated,  ///< from the row's own measured cells, by a law that is named
  constant,      ///< not a measurement: a calibrated parameter, a vendor's figure
  not_run,       ///< no GPU here, over the budget, not in this build
  invalid,       ///< it ran, and the result is not right
  failed,        ///< it crashed, was killed or answered garbage
  timeout        ///< it was ended at its deadline
};

std::string to_string(Status status);
/// Throws std::invalid_argument.
Status status_from(std::string_view text);

/// What one process measured, in seconds. Start-up is real only once a process; the papers timed a
/// first solution; a steady time needs repeats.
struct Sample {
  double start = 0;
  double first_solution = 0;
  std::vector<double> solutions;  ///< the warm ones after the first, in order
  /// Seconds in each stage the implementation announced, one entry a solution, the first included.
  std::map<std::string, std::vector<double>> stages;
};

/// One case on one machine: a line of records.jsonl.
struct Record {
  std::string key;
  std::string model;
  std::string implementation;  ///< without the model: "cuda_c"
  std::string origin;
  Parameters parameters;                     ///< a file's value is its name and digest
  std::optional<double> work;                ///< what its time grows with, if that is known
  std::optional<Floor> floor;                ///< the least it has to move and compute, likewise
  std::optional<bool> on_gpu;                ///< whether a GPU does any of a solution, likewise
  std::vector<std::string> gpu_stages = {};  ///< the stages that it does, of those announced

  Status status = Status::failed;
  Reason why;                     ///< empty where the status is measured
  bool expected_invalid = false;  ///< an invalid outcome that is a known published finding
  std::vector<Sample> samples;    ///< one a process; kept for invalid outcomes too
  std::optional<Outcome> outcome;

  std::string campaign;  ///< its id; empty where the record is older than campaigns
  std::string machine;   ///< SHA-256 of the machine block
  std::string source;    ///< SHA-256 of all code that decides the result
  std::string time;      ///< UTC, ISO 8601, when the case ended
  double seconds = 0;    ///< wall time the case took in all, processes and checks included
};

/// Which of the papers' phases is meant.
enum class Phase { start, first_solution, solution, total };

std::string to_string(Phase phase);
/// Throws std::invalid_argument.
Phase phase_from(std::string_view text);

/// All raw seconds of a phase, over all processes. `solution` is every warm solution, or the first
/// ones where there is no warm one; `total` is start-up plus the first solution, a process each.
std::vector<double> seconds_of(const Record& record, Phase phase);

/// Whether a GPU does these stages, or one of them; any of the solution where none is named.
bool is_on_gpu(const Record& record, const std::vector<std::string>& stages);

/// All raw seconds of one stage, over all processes, those of the first solutions included.
std::vector<double> seconds_of_stage(const Record& record, const std::string& stage);

}  // namespace macrobench
