#include "harness/records/met_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "harness/machine/gpu_conditions.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

constexpr const char* threads_axis = "threads";
constexpr const char* precision_axis = "real";

/// True if a GPU solved it. A GPU is read only then, so a record that denies it is not believed.
bool is_by_gpu(const Record& record) {
  return record.on_gpu.value_or(false) ||
         std::ranges::any_of(record.samples, [](const Sample& its) { return its.gpu.has_value(); });
}

double warm_seconds(const Sample& sample) {
  double sum = 0;
  for (const double seconds : sample.solutions) sum += seconds;
  return sum;
}

/// One text for all cases that differ only in their threads.
std::string without_threads(const Record& record) {
  std::string all =
      fmt::format("{} {} {} {}", record.id(), record.source, record.machine, record.campaign);
  for (const auto& [name, value] : record.parameters) {
    if (name != threads_axis) all += key_field(name, to_string(value));
  }
  return all;
}

double median_solution(const Record& record) {
  return median(seconds_of(record, Phase::solution));
}

/// Numbers are written with few enough digits that they may be off by this.
constexpr double rounding = 1e-6;

/// The record with all its disturbance multiplied.
Record disturbed(Record record, double times) {
  Conditions& met = record.conditions.value();
  for (std::optional<double>* cores : {&met.others_cores, &met.stolen_cores}) {
    if (*cores) **cores *= times;
  }
  if (met.quota && met.quota->throttled_seconds) *met.quota->throttled_seconds *= times;
  for (Sample& sample : record.samples) sample.kept_off *= times;
  return record;
}

/// True if the kernel said anything about other processes.
bool are_known(const Conditions& met) {
  return met.others_cores || met.stolen_cores;
}

}  // namespace

Reason against_start(const Record& record) {
  if (!is_by_gpu(record)) return {};
  const bool is_lazy = is_of_a_program(record);
  for (const Sample& sample : record.samples) {
    const double seconds = sample.start + (is_lazy ? sample.first_solution : 0);
    if (std::isnan(seconds) || seconds >= shortest_context) continue;
    return {"no GPU starts so quickly",
            fmt::format("{}, and a CUDA context takes over {}", format_duration(seconds),
                        format_duration(shortest_context))};
  }
  return {};
}

Reason against_threads(const Record& record) {
  if (!record.conditions || record.samples.empty()) return {};
  const Conditions& met = *record.conditions;
  const int threads = threads_of(record.parameters);
  if (met.threads != threads) {
    return {"its conditions have other threads",
            fmt::format("{}, and the case has {}", met.threads, threads)};
  }
  // A program from outside may have threads that no parameter counts.
  if (!met.cpu_seconds || is_of_a_program(record)) return {};
  double solving = 0;
  for (const Sample& sample : record.samples) {
    solving += sample.first_solution + warm_seconds(sample);
  }
  const double rest = std::max(0.0, record.seconds - solving);
  const double most = threads * solving + std::max(met.cores, threads) * rest;
  if (*met.cpu_seconds <= cpu_margin * most + 10 * least_disturbance) return {};
  return {"its threads cannot use so much CPU time",
          fmt::format("{}, and at most {} with {} in that time", format_duration(*met.cpu_seconds),
                      format_duration(most), threads)};
}

Reason against_readings(const Record& record) {
  for (const Sample& sample : record.samples) {
    if (!sample.gpu) continue;
    const double most = 2 + readings_margin * warm_seconds(sample) / seconds_between_readings;
    if (sample.gpu->readings <= most) continue;
    return {
        "its GPU was read more often than its solutions have time for",
        fmt::format("{} times in {}", sample.gpu->readings, format_duration(warm_seconds(sample)))};
  }
  const Energy* energy = energy_of(record);
  if (energy == nullptr || energy->solutions <= 0) return {};
  const double then = energy->solving_seconds / energy->solutions;
  const double recorded = median_solution(record);
  if (then <= energy_margin * recorded) return {};
  return {"its solutions took longer while their energy was measured",
          fmt::format("{}, and {} before", format_duration(then), format_duration(recorded))};
}

Reason against_machine(const Record& record, const Machine& machine) {
  if (!record.samples.empty() && is_by_gpu(record) && !machine.has_gpu()) {
    return "a GPU solved it, and its machine has none";
  }
  const std::optional<double> memory = machine.number_at("/gpu/highest_memory_mhz");
  for (const Sample& sample : record.samples) {
    if (!memory || !sample.gpu || !sample.gpu->memory_mhz) continue;
    const double read = sample.gpu->memory_mhz->highest;
    if (read > clock_margin * *memory || *memory > clock_margin * read) {
      return {"its GPU's memory has another clock than its machine's",
              fmt::format("{} MHz, and {} MHz", read, *memory)};
    }
  }
  if (!record.conditions) return {};
  const Conditions& met = *record.conditions;
  const std::optional<double> cores = machine.number_at("/cpu/cores_available");
  if (cores && met.cores != *cores) {
    return {"its conditions have other cores than its machine",
            fmt::format("{}, and {}", met.cores, *cores)};
  }
  const std::optional<double> mhz = machine.number_at("/now/mhz");
  if (machine.at("/now/scaling") != false || !mhz || !met.mhz.before) return {};
  const double read = *met.mhz.before;
  if (read <= clock_margin * *mhz && *mhz <= clock_margin * read) return {};
  return {"its cores have another clock than its machine's",
          fmt::format("{} MHz, and {} MHz", read, *mhz)};
}

Reason against_precision(const Record& record) {
  if (!record.outcome || !record.floor || !record.declared_floor ||
      record.floor == record.declared_floor) {
    return {};
  }
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr || record.parameters.find(precision_axis) == nullptr) return {};
  const bool is_in_single = is_single(record.parameters);
  try {
    Parameters other = complete_recorded(here->axes, record.parameters);
    other.set(precision_axis, std::string(is_in_single ? "double" : "single"));
    if (Case{here, other}.floor(*record.outcome) != *record.floor) return {};
  } catch (const UsageError&) {
    return {};  // axes or values of another version
  }
  return {"its floor belongs to the other precision",
          fmt::format("{} bytes and {} operations", record.floor->bytes, record.floor->operations)};
}

NoiseCheck::NoiseCheck(const std::vector<Record>& records) {
  for (const Record& record : records) {
    if (record.samples.empty() || threads_of(record.parameters) != 1) continue;
    const double seconds = median_solution(record);
    const auto [its, is_new] = of_one_thread_.try_emplace(without_threads(record), seconds);
    if (!is_new) its->second = std::min(its->second, seconds);
  }
}

Reason NoiseCheck::against_status(const Record& record) const {
  if (record.turns || !record.conditions || !are_known(*record.conditions)) return {};
  if (record.status == Status::measured) {
    const Reason noisy = why_noisy(record);
    if (!noisy.empty() && !why_noisy(disturbed(record, 1 - rounding)).empty()) {
      return {"it is measured, and its conditions make it noisy", to_string(noisy)};
    }
    const Reason throttled = why_throttled(record);
    return throttled.empty()
               ? Reason()
               : Reason("it is measured, and its GPU was throttled", to_string(throttled));
  }
  if (record.status == Status::noisy && why_noisy(record).empty() &&
      why_noisy(disturbed(record, 1 + rounding)).empty() && !is_slower_than_one(record)) {
    return "it is noisy, and its conditions say nothing of it";
  }
  if (record.status == Status::throttled && why_throttled(record).empty()) {
    return "it is throttled, and its GPU says nothing of it";
  }
  return {};
}

bool NoiseCheck::is_slower_than_one(const Record& record) const {
  const int threads = threads_of(record.parameters);
  if (threads <= 1 || threads > record.conditions->cores) return false;
  const auto of_one = of_one_thread_.find(without_threads(record));
  return of_one != of_one_thread_.end() &&
         median_solution(record) > slowest_threads * of_one->second;
}

}  // namespace macrobench
