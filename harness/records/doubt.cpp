#include "harness/records/doubt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>

#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

constexpr const char* threads_axis = "threads";

double median_solution(const Record& record) {
  return median(seconds_of(record, Phase::solution));
}

/// Whether the two are one case but for the threads.
bool differ_only_in_threads(const Record& a, const Record& b) {
  if (a.model != b.model || a.implementation != b.implementation || a.source != b.source ||
      a.machine != b.machine || a.campaign != b.campaign) {
    return false;
  }
  Parameters with_a_threads = b.parameters;
  if (const Value* threads = a.parameters.find(threads_axis)) {
    with_a_threads.set(threads_axis, *threads);
  }
  return a.parameters == with_a_threads;
}

Reason why_disturbed(const Conditions& met, double seconds) {
  const double needed = std::min(met.threads, met.cores);
  if (met.stolen_cores && *met.stolen_cores > most_stolen * needed &&
      *met.stolen_cores * seconds > least_disturbance) {
    return {"the hypervisor took the cores away",
            fmt::format("{:.2g} of the {} that it needs", *met.stolen_cores, needed)};
  }
  if (met.quota && met.quota->throttled_seconds) {
    const double held_back = *met.quota->throttled_seconds;
    if (held_back > most_disturbed * needed * seconds && held_back > least_disturbance) {
      return {"a quota on CPU time held it back",
              fmt::format("for {}, at {:.4g} cores", format_duration(held_back), met.quota->cores)};
    }
  }
  if (!met.others_cores) return {};
  // What it needs, less what others leave.
  const double lacking = *met.others_cores - (met.cores - needed);
  if (lacking > most_disturbed * needed && lacking * seconds > least_disturbance) {
    return {
        "others used the cores that it needs",
        fmt::format("{:.2g} of {}, of which it needs {}", *met.others_cores, met.cores, needed)};
  }
  return {};
}

/// As the case's own thread saw it, whatever the machine shows of the cause.
Reason why_kept_off(const Record& record) {
  double kept_off = 0;
  double solving = 0;
  for (const Sample& sample : record.samples) {
    kept_off += sample.kept_off;
    solving += sample.first_solution;
    for (const double seconds : sample.solutions) solving += seconds;
  }
  if (kept_off <= most_disturbed * solving || kept_off <= least_disturbance) return {};
  return {"it was kept off the CPU",
          fmt::format("for {} of {}", format_duration(kept_off), format_duration(solving))};
}

/// The least seconds that one solution spent on what the floor counts, or on everything if that was
/// not timed; none without a sample.
std::optional<double> least_seconds(const Record& record, const Floor& floor) {
  std::vector<double> all;
  for (const std::string& stage : floor.stages) {
    const std::vector<double> seconds = seconds_of_stage(record, stage);
    if (all.empty()) all.resize(seconds.size());
    if (seconds.empty() || seconds.size() != all.size()) {
      all.clear();
      break;
    }
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += seconds[i];
  }
  if (all.empty()) {
    for (const Sample& sample : record.samples) {
      all.push_back(sample.first_solution);
      all.insert(all.end(), sample.solutions.begin(), sample.solutions.end());
    }
  }
  if (all.empty()) return std::nullopt;
  return *std::ranges::min_element(all);
}

/// Changes a measured record if there is a reason.
void doubt(Record& record, Status status, Reason why) {
  if (record.status != Status::measured || why.empty()) return;
  record.status = status;
  record.why = std::move(why);
}

/// A number of at least one at the pointer in the machine's block, else the other one: no GPU has a
/// part of a multiprocessor, or a clock below 1 MHz.
double number_at(const Machine& machine, const char* pointer, double otherwise) {
  const std::optional<double> found = machine.number_at(pointer);
  return found && *found >= 1 ? *found : otherwise;
}

/// The product of those of the axes that the case has; 1 without any.
int count_of(const Parameters& parameters, std::initializer_list<const char*> axes) {
  constexpr std::int64_t most = 1 << 20;
  std::int64_t product = 1;
  for (const char* axis : axes) {
    const Value* value = parameters.find(axis);
    const auto* count = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    if (count != nullptr)
      product = std::min(most, product * std::clamp<std::int64_t>(*count, 1, most));
  }
  return static_cast<int>(product);
}

}  // namespace

int threads_of(const Parameters& parameters) {
  return count_of(parameters, {threads_axis, "processes"});
}

int gpus_of(const Parameters& parameters) {
  return count_of(parameters, {"gpus"});
}

Reason why_noisy(const Record& record) {
  if (record.conditions) {
    Reason why = why_disturbed(*record.conditions, record.seconds);
    if (!why.empty()) return why;
  }
  if (Reason why = why_kept_off(record); !why.empty()) return why;
  const std::vector<double> solutions = seconds_of(record, Phase::solution);
  if (solutions.size() < 3 || median(solutions) < shortest_judged) return {};
  const double spread = relative_spread(solutions);
  if (spread <= widest_spread) return {};
  return {"its solutions differ too much in time",
          fmt::format("by {:.0f}%, median of {}", 100 * spread, solutions.size())};
}

Reason why_throttled(const Record& record) {
  if (!is_throttled(record)) return {};
  std::set<std::string> reasons;
  for (const Sample& sample : record.samples) {
    if (sample.gpu) reasons.insert(sample.gpu->reasons.begin(), sample.gpu->reasons.end());
  }
  return {"the GPU's clocks were held down", fmt::format("{}", fmt::join(reasons, ", "))};
}

Reason why_slower_than_one(const Record& record, const Record& of_one_thread) {
  const int threads = threads_of(record.parameters);
  const bool fits = !record.conditions || threads <= record.conditions->cores;
  if (threads <= 1 || threads_of(of_one_thread.parameters) != 1 || !fits ||
      record.status != Status::measured || of_one_thread.status != Status::measured ||
      !differ_only_in_threads(record, of_one_thread)) {
    return {};
  }
  const double time = median_solution(record);
  const double of_one = median_solution(of_one_thread);
  if (!(time >= shortest_judged && time > slowest_threads * of_one)) return {};
  return {"slower than with one thread",
          fmt::format("{} against {}", format_duration(time), format_duration(of_one))};
}

PhysicalLimits limits_of_gpus(int gpus, const Machine& machine) {
  // A multiprocessor does 128 multiply-adds per clock in either precision at most, tensor units
  // included, and moves 128 bytes per clock to and from its first cache: half of this.
  const double clock = 1e6 * number_at(machine, "/gpu/highest_sm_mhz", 3000);
  const double multiprocessors = gpus * number_at(machine, "/gpu/multiprocessors", 256);
  return {.bytes = multiprocessors * clock * 256, .operations = multiprocessors * clock * 512};
}

PhysicalLimits limits_of_cores(int cores, bool single) {
  // No core runs above 6.5 GHz, has more than two units of 512 bits for multiply-adds, or moves
  // more than two such words from its first cache and one to it per clock.
  const double clocks = 6.5e9 * cores;
  return {.bytes = clocks * 192, .operations = clocks * (single ? 64 : 32)};
}

Reason why_implausible(const Record& record, const Machine& machine) {
  if (!record.floor || !record.floor->is_known()) return {};
  const std::optional<double> seconds = least_seconds(record, *record.floor);
  if (!seconds) return {};
  const int cores = std::min(threads_of(record.parameters), machine.cores());
  const PhysicalLimits limits = is_on_gpu(record, record.floor->stages)
                                    ? limits_of_gpus(gpus_of(record.parameters), machine)
                                    : limits_of_cores(cores, is_single(record.parameters));
  const double least =
      std::max(record.floor->bytes / limits.bytes, record.floor->operations / limits.operations) /
      floor_margin;
  if (*seconds >= least) return {};
  return {
      "faster than any such machine",
      fmt::format("{}, and the least is {}", format_duration(*seconds), format_duration(least))};
}

void judge_time(Record& record, const Machine& machine) {
  doubt(record, Status::implausible, why_implausible(record, machine));
  doubt(record, Status::throttled, why_throttled(record));
  doubt(record, Status::noisy, why_noisy(record));
}

void DoubtedTimes::add(Status status) {
  noisy += status == Status::noisy ? 1 : 0;
  throttled += status == Status::throttled ? 1 : 0;
}

DoubtedTimes& DoubtedTimes::operator+=(const DoubtedTimes& more) {
  noisy += more.noisy;
  throttled += more.throttled;
  return *this;
}

std::string to_string(const DoubtedTimes& times) {
  std::vector<std::string> phrases;
  const auto add = [&](const char* why, int count, Status status) {
    if (count == 0) return;
    phrases.push_back(fmt::format("{}: {} {} {}", why, with_separators(count),
                                  count == 1 ? "time is" : "times are", to_string(status)));
  };
  add("the machine was busy", times.noisy, Status::noisy);
  add("the GPU was slowed down", times.throttled, Status::throttled);
  return fmt::format("{}", fmt::join(phrases, "; "));
}

std::vector<Record> made_noisy_by(const Record& newest, const std::vector<Record>& records) {
  std::vector<Record> noisy;
  const auto judge = [&](const Record& record, const Record& of_one_thread) {
    Reason why = why_slower_than_one(record, of_one_thread);
    if (why.empty()) return false;
    noisy.push_back(record);
    noisy.back().status = Status::noisy;
    noisy.back().why = std::move(why);
    return true;
  };
  if (threads_of(newest.parameters) > 1) {
    static_cast<void>(
        std::ranges::any_of(records, [&](const Record& other) { return judge(newest, other); }));
    return noisy;
  }
  std::set<std::string> seen;
  for (auto other = records.rbegin(); other != records.rend(); ++other) {
    // Of each case the newest.
    if (seen.insert(other->key).second) judge(*other, newest);
  }
  return noisy;
}

}  // namespace macrobench
