#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/origin.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"

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

/// One case on one machine, as it stands on one line of records.jsonl (schema 1, described by
/// harness/record.schema.json).
struct Record {
  static constexpr int schema = 1;

  std::string key;
  std::string model;
  std::string implementation;  ///< without the model: "cuda_c"
  std::string origin;
  Parameters parameters;

  Status status = Status::failed;
  std::string why;                ///< empty where the status is measured
  bool expected_invalid = false;  ///< an invalid outcome that is a known published finding
  std::vector<Sample> samples;    ///< one a process; kept for invalid outcomes too
  std::optional<Outcome> outcome;

  std::string machine;  ///< SHA-256 of the machine block
  std::string source;   ///< SHA-256 of the source files behind the implementation
  std::string time;     ///< UTC, ISO 8601, when the case ended
  double seconds = 0;   ///< wall time the case took in all, processes and checks included
};

/// Which of the papers' phases is meant.
enum class Phase { start, first_solution, solution, total };

std::string to_string(Phase phase);
/// Throws std::invalid_argument.
Phase phase_from(std::string_view text);

/// All raw seconds of a phase, over all processes. `solution` is every warm solution, or the first
/// ones where there is no warm one; `total` is start-up plus the first solution, a process each.
std::vector<double> seconds_of(const Record& record, Phase phase);

/// All raw seconds of one stage, over all processes, those of the first solutions included.
std::vector<double> seconds_of_stage(const Record& record, const std::string& stage);

/// Statistics are made from the samples when they are shown.
double median(std::vector<double> values);
/// The value below which the share of them lies: the nearest one, of one at least.
double quantile(std::vector<double> values, double share);
/// Median absolute deviation over the median: a relative spread that one outlier does not move.
double relative_spread(const std::vector<double>& values);

nlohmann::ordered_json to_json(const Record& record);
/// Throws std::invalid_argument that names the JSON pointer of what is wrong: of a time whose
/// result is not valid too. A later schema is said to be one.
Record record_from_json(const nlohmann::json& json);

/// The parts of a record that a child process answers with. A number that is not finite stands as
/// null. Both ways back throw std::invalid_argument that names the JSON pointer, which begins with
/// `at`.
nlohmann::ordered_json to_json(const Sample& sample);
nlohmann::ordered_json to_json(const Outcome& outcome);
Sample sample_from_json(const nlohmann::json& json, const std::string& at = "");
Outcome outcome_from_json(const nlohmann::json& json, const std::string& at = "");

/// Parameters as a JSON object, in their order, and back.
nlohmann::ordered_json to_json(const Parameters& parameters);
/// A whole JSON number becomes a whole number; the axes put the type right later.
Parameters parameters_from_json(const nlohmann::json& json);
/// The value of one; none where it is neither a number nor a string.
std::optional<Value> value_from_json(const nlohmann::json& json);

}  // namespace macrobench
