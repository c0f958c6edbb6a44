#pragma once

#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/numbers/cell.hpp"
#include "harness/numbers/noise.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

Scope scope_of(Phase phase);

/// "panel", "policy + panel": of a time that adds up several.
std::string name_of_stages(const std::vector<std::string>& stages);

/// Returns the figure that is_error, with its name; null if the model has none.
const OutcomeFigures::value_type* error_figure_of(const Model& model);

/// Returns what the model's errors are shares of, "consumption"; empty if it has none.
std::string share_of_errors(const Model& model);

/// The model's error of the record's result (OutcomeFigure::is_error), as a share; none if the
/// record or its model has none.
std::optional<double> error_in(const Record& record);

/// Gives a number of the record the error and the marks that its result has: doubted, relaxed, or
/// of a precision that hides more than a share of it.
void mark_result(Cell& cell, const Record& record);

/// Gives a time above 0 its interval: by the scatter of its processes' medians, and by how much it
/// may change between campaigns.
void set_interval(Cell& time, Noise between_campaigns, const std::vector<double>& of_processes);

/// The times of a folder's records, with what is known of its machines.
class FolderTimes {
 public:
  FolderTimes() : FolderTimes(Results{}) {}
  /// Keeps nothing of the results but what it reads of their machines. Tests pass another noise.
  explicit FolderTimes(const Results& results, NoiseOf noise = noise_of);

  [[nodiscard]] Provenance origin_of(const Record& record) const;

  /// The median of these seconds, by process, of a record with a right result; without seconds
  /// it has no value. `stages` are the timed ones; without them the whole phase is. A stage's
  /// noise between campaigns is that of its solution, a total's that of its start and its solution.
  [[nodiscard]] Cell time_of(const Record& record, Phase phase,
                             const std::vector<std::string>& stages,
                             const SecondsByProcess& seconds) const;

 private:
  struct KnownMachine {
    std::string kind;
    std::string host;
    std::string compiler;
    int cores = 0;  ///< 0: unknown
  };

  [[nodiscard]] std::string sitting_of(const Record& record) const;

  std::map<std::string, KnownMachine> machines_;              // by id
  std::map<std::string, std::vector<std::time_t>> sittings_;  // by id, when each began, in order
  NoiseOf noise_of_;
};

/// The record that is shown of a case, among its records in the order of time: the newest of those
/// that were run by this build's source, else the newest that was run, as replaces() has it. Null
/// if none was run.
const Record* shown_of(std::span<const Record* const> records);

/// The shown record of each case, by key. A case whose shown record is not chosen is not there: no
/// older record counts instead.
std::vector<const Record*> shown_records(
    const Results& results,
    const std::function<bool(const Record&)>& is_chosen = [](const Record& record) {
      return record.status == Status::measured;
    });

}  // namespace macrobench
