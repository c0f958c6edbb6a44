#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/conditions.hpp"
#include "harness/machine/energy.hpp"
#include "harness/machine/gpu_conditions.hpp"
#include "harness/machine/memory.hpp"
#include "harness/model/floor.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/records/reason.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// The outcome of running a case.
enum class Status {
  measured,
  noisy,        ///< the result is right, and others used the machine during the time
  throttled,    ///< the result is right, and the GPU held its clock back during the time
  implausible,  ///< no machine can do it in that time, or its record contradicts itself
  not_run,      ///< no GPU here, over the budget, not in this build
  invalid,      ///< it ran, and the result is not right
  failed,       ///< it crashed, was killed or answered garbage
  timeout       ///< it was stopped at its deadline
};

std::string to_string(Status status);
/// Throws std::invalid_argument.
Status status_from(std::string_view text);

/// Whether the result is said to be right and its time is not believed: it is shown with its mark,
/// and is no baseline, no evidence and no predictor; the next run replaces it.
bool is_doubted(Status status);
/// Whether the case ran and its result is said to be right, believed or not.
bool has_right_result(Status status);
/// Whether its figures are believed even if its time is not: nothing is that an implausible record
/// says.
bool is_result_believed(Status status);

/// What one process measured, in seconds. Start-up is real only once per process; the papers timed
/// a first solution; a steady time needs repeats.
struct Sample {
  double start = 0;  ///< not a number if it was not kept
  double first_solution = 0;
  std::vector<double> solutions;  ///< the warm ones after the first, in order
  /// Seconds in each announced stage, one entry per solution, including the first.
  std::map<std::string, std::vector<double>> stages;
  /// Seconds around the solutions of a program from outside: process, start, load, write, ping.
  std::map<std::string, std::vector<double>> around = {};
  /// For which its thread was ready to run and no core ran it, as far as that is known.
  double kept_off = 0;
  /// Of the GPU that solved it; none if no GPU did or nothing could be read.
  std::optional<GpuConditions> gpu = {};
  /// Of a solution; none if it was not asked for. One process of a record measures it.
  std::optional<Energy> energy = {};
  Memory memory = {};
};

/// How far an array of two solutions is apart.
struct ArrayApart {
  std::string name;
  double largest = 0;                 ///< the largest difference of two numbers
  double theirs = 0, ours = 0;        ///< where it is
  std::optional<double> points = {};  ///< of choices among a grid's points, the largest in these
};

inline constexpr const char* turns_of_original = "original";
inline constexpr const char* turns_of_counterpart = "counterpart";
inline constexpr const char* turns_for_figure = "figure";

/// A record has it if its processes took turns with other programs' for the same case.
struct Turns {
  std::string of;    ///< what is compared: "aldrich_2014/vfi_cpp"
  std::string role;  ///< one of the three above, or the difference that a variant shows
  /// An original's: the commit of its source, empty if git does not know it, and whether its files
  /// differ from it; and how its solution differs from the counterpart's, or why nobody knows.
  std::string commit = {};
  bool changed = false;
  std::vector<ArrayApart> arrays = {};
  std::string not_compared = {};
};

/// One case on one machine: a line of records.jsonl.
struct Record {
  std::string key;
  std::string model;
  std::string implementation;  ///< without the model: "cuda_c"
  std::string origin;
  Parameters parameters;                     ///< a file's value is its name and digest
  std::optional<double> work;                ///< what its time grows with, if that is known
  std::optional<Floor> floor;                ///< the least that it must move and compute, likewise
  std::optional<Floor> declared_floor;       ///< that of this build, whatever the line says
  std::optional<bool> on_gpu;                ///< whether a GPU does any of a solution, likewise
  std::vector<std::string> gpu_stages = {};  ///< the stages that it does, of those announced

  Status status = Status::failed;
  Reason why;                     ///< empty if the status is measured
  bool expected_invalid = false;  ///< an invalid outcome that is a known published finding
  std::vector<Sample> samples;    ///< one per process; also kept for invalid outcomes
  std::optional<Outcome> outcome;
  std::optional<Conditions> conditions;  ///< what it met on its machine, if that is known
  std::string solution;  ///< SHA-256 of the file that stores the first one; empty if none does

  std::string campaign;  ///< its id; empty if the record is older than campaigns
  std::string machine;   ///< SHA-256 of the machine block
  std::string source;    ///< SHA-256 of all code that decides the result; empty if it was not kept
  std::string time;      ///< UTC, ISO 8601, when the case ended
  double seconds = 0;    ///< wall time of the whole case, with processes and checks
  std::optional<Turns> turns = {};

  /// "rbc/cuda_c"
  [[nodiscard]] std::string id() const { return model + "/" + implementation; }
};

/// Whether the newer record stands for the case in place of the older one: always, but for a time
/// that is not believed in place of one that is.
bool replaces(const Record& newer, const Record& older);

/// One of the papers' phases.
enum class Phase { start, first_solution, solution, total };

/// Raw seconds of a phase, over all processes. `solution` is every warm solution, or the first
/// ones if there is no warm one; `total` is start-up plus the first solution, one per process.
/// Solutions for which the GPU was slowed down are left out, unless that leaves none or
/// is_throttled() holds.
std::vector<double> seconds_of(const Record& record, Phase phase);
/// As seconds_of(), by process: a list for each of the record's samples.
using SecondsByProcess = std::vector<std::vector<double>>;
SecondsByProcess seconds_by_process(const Record& record, Phase phase);

/// Whether a GPU does one of these stages, or any of the solution if none is named.
bool is_on_gpu(const Record& record, const std::vector<std::string>& stages);

/// Raw seconds of one stage, over all processes, including those of the first solutions, without
/// the same solutions; or of what was around them.
std::vector<double> seconds_of_stage(const Record& record, const std::string& stage);
SecondsByProcess seconds_by_process(const Record& record, const std::string& stage);

/// Whether hardware, heat or the power supply slowed the GPU down for more than half of the
/// solutions: what is left is then not a time of this GPU.
bool is_throttled(const Record& record);

/// The most that a process of the case had.
Memory memory_of(const Record& record);

/// What a solution uses; null if that was not asked for.
const Energy* energy_of(const Record& record);
/// Of the case, spent on its energy and not on its times.
double seconds_of_energy(const Record& record);

/// The exit code for one case of many: a result that must be valid and is not, or a failure. Cells
/// that were not run or timed out, times that are not believed, and invalid results that are a
/// known finding count only if `strict`.
ExitCode verdict(const Record& record, bool strict);

/// The more serious of two: failed, then invalid, usage, slower, ambiguous, ok.
ExitCode gravest(ExitCode a, ExitCode b);

}  // namespace macrobench
