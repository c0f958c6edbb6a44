#include "harness/numbers/folder_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <optional>
#include <utility>

#include "harness/machine/machine.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

/// True if no solution of the record was warm.
bool is_cold(const Record& record) {
  return std::ranges::all_of(record.samples,
                             [](const Sample& sample) { return sample.solutions.empty(); });
}

/// The name of the samples: "warm solutions".
std::string samples_of(Phase phase, bool is_stage, bool is_cold) {
  if (phase == Phase::start || phase == Phase::total) return "processes";
  if (is_stage) return "solutions, the first included";
  return phase == Phase::first_solution || is_cold ? "first solutions" : "warm solutions";
}

const Noise& noise_of_phase(const Record& record, Phase phase, NoiseOf noise_of) {
  const TimedPart part = phase == Phase::start                          ? TimedPart::start
                         : phase == Phase::solution && !is_cold(record) ? TimedPart::warm
                                                                        : TimedPart::cold;
  return noise_of(record.on_gpu.value_or(false), part, median(seconds_of(record, phase)));
}

/// The noise between campaigns of a phase. What start and solution change a total by is
/// independent.
Noise noise_between_campaigns(const Record& record, Phase phase, NoiseOf noise_of) {
  if (phase != Phase::total) return noise_of_phase(record, phase, noise_of);
  Noise noise;
  double spent = 0;  // Welch and Satterthwaite
  const double total = median(seconds_of(record, Phase::total));
  for (const Phase component : {Phase::start, Phase::first_solution}) {
    const Noise& its_noise = noise_of_phase(record, component, noise_of);
    const double share = median(seconds_of(record, component)) / total;
    const double variance = share * share * its_noise.variance;
    noise.variance += variance;
    spent += variance * variance / its_noise.degrees;
  }
  noise.degrees = noise.variance * noise.variance / spent;
  return noise;
}

/// In seconds: commands further apart are two sittings.
constexpr std::time_t longest_pause = 3600;

std::optional<std::time_t> begin_of(const Record& record) {
  const std::optional<std::time_t> ended = time_from(record.time);
  const bool is_known = ended && record.seconds >= 0 && record.seconds < 1e9;
  return is_known ? std::optional(*ended - std::lround(record.seconds)) : std::nullopt;
}

}  // namespace

Scope scope_of(Phase phase) {
  return phase == Phase::start            ? Scope::start
         : phase == Phase::first_solution ? Scope::first_solution
         : phase == Phase::solution       ? Scope::solution
                                          : Scope::total;
}

std::string name_of_stages(const std::vector<std::string>& stages) {
  return fmt::format("{}", fmt::join(stages, " + "));
}

const OutcomeFigures::value_type* error_figure_of(const Model& model) {
  const auto its = std::ranges::find_if(model.outcome_figures,
                                        [](const auto& one) { return one.second.is_error; });
  return its == model.outcome_figures.end() ? nullptr : &*its;
}

std::string share_of_errors(const Model& model) {
  const auto* its = error_figure_of(model);
  if (its == nullptr) return "";
  constexpr std::string_view share = "share of ";
  const std::string& unit = its->second.unit;
  const std::size_t at = unit.find(share);
  return at == std::string::npos ? "" : unit.substr(at + share.size());
}

std::optional<double> error_in(const Record& record) {
  const Model* model = Registry::global().find_model(record.model);
  if (model == nullptr || !record.outcome) return {};
  const auto* its = error_figure_of(*model);
  if (its == nullptr) return {};
  const auto found = record.outcome->figures.find(its->first);
  if (found == record.outcome->figures.end()) return {};
  const bool is_logarithm = its->second.unit.starts_with("log10 of ");
  const double share = is_logarithm ? std::pow(10, found->second) : found->second;  // of none: 0
  return std::isfinite(share) ? std::optional(share) : std::nullopt;
}

void mark_result(Cell& cell, const Record& record) {
  cell.error = error_in(record);
  cell.is_relaxed = met_relaxed_tolerance(record);
  if (cell.is_relaxed) cell.marks.insert({Sign::own, "met only a relaxed tolerance"});
  if (record.outcome && record.outcome->notes.contains("precision")) {
    cell.marks.insert({Sign::own, "its rounding may hide errors above 1e-4"});
  }
  if (record.outcome && record.outcome->notes.contains("steady state")) {
    cell.marks.insert({Sign::own, "not stationary: its wealth has no steady state"});
  }
  if (is_doubted(record.status)) {
    const std::string why = record.why.empty() ? "" : ": " + record.why.clause;
    cell.marks.insert({Sign::own, to_string(record.status) + why});
  }
}

void set_interval(Cell& time, Noise between_campaigns, const std::vector<double>& of_processes) {
  time.shared = between_campaigns.variance;
  Noise noise = between_campaigns;
  noise.variance += variance_of_median(of_processes);
  time.interval = interval_of(known_value(time.value), noise);
  time.variance = noise.variance;
  time.degrees = noise.degrees;
}

FolderTimes::FolderTimes(const Results& results, NoiseOf noise) : noise_of_(noise) {
  for (const auto& [id, machine] : results.machines) {
    machines_[id] = {machine.slug(), machine.is_identified() ? machine.identity() : "",
                     machine.text_at("/compiler/name"),
                     static_cast<int>(machine.number_at("/cpu/cores_available").value_or(0))};
  }
  std::map<std::string, std::vector<std::pair<std::time_t, std::time_t>>> cases;  // begin, end
  for (const Record& record : results.records) {
    if (const auto begun = begin_of(record)) {
      cases[record.machine].emplace_back(*begun, *begun + std::lround(record.seconds));
    }
  }
  for (auto& [machine, its] : cases) {
    std::ranges::sort(its);
    std::time_t last = 0;
    for (const auto& [begun, ended] : its) {
      if (begun > last + longest_pause) sittings_[machine].push_back(begun);
      last = std::max(last, ended);
    }
  }
}

std::string FolderTimes::sitting_of(const Record& record) const {
  const auto its = sittings_.find(record.machine);
  const auto begun = begin_of(record);
  if (its == sittings_.end() || !begun) return "";
  const auto next = std::ranges::upper_bound(its->second, *begun);
  if (next == its->second.begin()) return "";
  return fmt::format("{} {}", record.machine, *std::prev(next));
}

Provenance FolderTimes::origin_of(const Record& record) const {
  Provenance origin{
      .machine = record.machine, .source = record.source, .sitting = sitting_of(record)};
  const auto machine = machines_.find(record.machine);
  if (machine == machines_.end()) return origin;
  origin.machine = machine->second.kind;
  origin.host = machine->second.host;
  origin.compiler = machine->second.compiler;
  return origin;
}

Cell FolderTimes::time_of(const Record& record, Phase phase, const std::vector<std::string>& stages,
                          const SecondsByProcess& seconds) const {
  const bool is_stage = !stages.empty();
  Cell cell{.status = record.status, .why = record.why, .unit = "s"};
  cell.scope = is_stage ? Scope::stage : scope_of(phase);
  cell.stage = name_of_stages(stages);
  cell.on_gpu = is_on_gpu(record, stages);
  cell.problem = problem_of(record);
  cell.samples_of = samples_of(phase, is_stage, is_cold(record));
  cell.is_cold = phase == Phase::solution && is_cold(record);
  mark_result(cell, record);
  if (cell.scope == Scope::start) cell.error.reset();  // of nothing that was solved
  std::vector<double> all;
  std::vector<double> medians;  // of each process that has a time
  for (const std::vector<double>& of_process : seconds) {
    if (of_process.empty()) continue;
    all.insert(all.end(), of_process.begin(), of_process.end());
    medians.push_back(median(of_process));
  }
  if (all.empty()) return cell;
  const Provenance origin = origin_of(record);
  cell.from.insert(origin);
  cell.kind = Kind::measured;
  cell.samples = static_cast<int>(all.size());
  cell.processes = static_cast<int>(medians.size());
  cell.spread = relative_spread(all);
  if (cell.is_cold) {
    cell.marks.insert({Sign::one_sample, "cold: the first solution of a process"});
  } else if (cell.samples == 1) {
    cell.marks.insert({Sign::one_sample, "one sample"});
  }
  cell.value = median(medians);
  if (!(*cell.value > 0)) return cell;  // a start-up of nothing is known exactly
  set_interval(cell, noise_between_campaigns(record, phase, noise_of_), medians);
  const auto machine = machines_.find(record.machine);
  const int cores = machine == machines_.end() ? 0 : machine->second.cores;
  const int threads = threads_of(record.parameters);
  if (!cell.on_gpu && cores > 0 && threads > cores) {
    cell.marks.insert({Sign::own, fmt::format("{} threads on {}", threads,
                                              counted(static_cast<std::size_t>(cores), "core"))});
  }
  return cell;
}

const Record* shown_of(std::span<const Record* const> records) {
  const Record* newest = nullptr;
  const Record* newest_of_this_source = nullptr;
  const auto put_in = [](const Record*& place, const Record* record) {
    if (place == nullptr || replaces(*record, *place)) place = record;
  };
  for (const Record* record : records) {
    if (record->status == Status::not_run) continue;
    put_in(newest, record);
    if (is_of_this_build(*record)) put_in(newest_of_this_source, record);
  }
  return newest_of_this_source != nullptr ? newest_of_this_source : newest;
}

std::vector<const Record*> shown_records(const Results& results,
                                         const std::function<bool(const Record&)>& is_chosen) {
  std::map<std::string, std::vector<const Record*>> by_key;
  for (const Record& record : results.records) by_key[record.key].push_back(&record);
  std::vector<const Record*> shown;
  for (const auto& [key, records] : by_key) {
    const Record* const record = shown_of(records);
    if (record != nullptr && is_chosen(*record)) shown.push_back(record);
  }
  return shown;
}

}  // namespace macrobench
