#include "harness/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

constexpr std::array<std::string_view, 8> status_names{
    "measured", "noisy", "throttled", "implausible", "not_run", "invalid", "failed", "timeout"};

/// Seconds of solutions, without those for which the GPU was slowed down, as long as some are left.
class BelievedSeconds {
 public:
  explicit BelievedSeconds(const Record& record)
      : takes_all_(is_throttled(record)),
        all_(record.samples.size()),
        believed_(record.samples.size()) {}

  /// The sample whose seconds follow.
  void begin(const Sample& sample) {
    sample_ = &sample;
    ++begun_;
  }
  void add(double seconds) {
    all_[begun_ - 1].push_back(seconds);
    believed_[begun_ - 1].push_back(seconds);
  }
  void add(double seconds, std::size_t solution) {
    all_[begun_ - 1].push_back(seconds);
    const bool is_slowed =
        sample_->gpu && std::ranges::binary_search(sample_->gpu->throttled, solution);
    if (takes_all_ || !is_slowed) believed_[begun_ - 1].push_back(seconds);
  }
  [[nodiscard]] bool is_empty() const { return is_empty(all_); }
  [[nodiscard]] const SecondsByProcess& values() const {
    return is_empty(believed_) ? all_ : believed_;
  }

 private:
  static bool is_empty(const SecondsByProcess& seconds) {
    return std::ranges::all_of(seconds, [](const auto& its) { return its.empty(); });
  }

  bool takes_all_;
  const Sample* sample_ = nullptr;
  std::size_t begun_ = 0;
  SecondsByProcess all_, believed_;
};

std::vector<double> joined(const SecondsByProcess& seconds) {
  std::vector<double> all;
  for (const auto& its : seconds) all.insert(all.end(), its.begin(), its.end());
  return all;
}

}  // namespace

std::string to_string(Status status) {
  return std::string(status_names.at(static_cast<std::size_t>(status)));
}
Status status_from(std::string_view text) {
  const auto* known = std::ranges::find(status_names, text);
  if (known != status_names.end()) return static_cast<Status>(known - status_names.begin());
  throw std::invalid_argument(fmt::format("'{}' is not a status", shown(text)));
}

bool is_doubted(Status status) {
  return status == Status::noisy || status == Status::throttled || status == Status::implausible;
}

bool has_right_result(Status status) {
  return status == Status::measured || is_doubted(status);
}

bool is_result_believed(Status status) {
  return has_right_result(status) && status != Status::implausible;
}

bool replaces(const Record& newer, const Record& older) {
  return !is_doubted(newer.status) || older.status != Status::measured;
}

bool is_throttled(const Record& record) {
  std::size_t solutions = 0;
  std::size_t throttled = 0;
  for (const Sample& sample : record.samples) {
    solutions += 1 + sample.solutions.size();
    if (sample.gpu) throttled += sample.gpu->throttled.size();
  }
  return 2 * throttled > solutions;
}

std::vector<double> seconds_of(const Record& record, Phase phase) {
  return joined(seconds_by_process(record, phase));
}

SecondsByProcess seconds_by_process(const Record& record, Phase phase) {
  BelievedSeconds seconds(record);
  for (const Sample& sample : record.samples) {
    seconds.begin(sample);
    const bool has_start = !std::isnan(sample.start);
    if (phase == Phase::start && has_start) seconds.add(sample.start);
    if (phase == Phase::first_solution) seconds.add(sample.first_solution, 0);
    if (phase == Phase::total && has_start) seconds.add(sample.start + sample.first_solution, 0);
    if (phase != Phase::solution) continue;
    for (std::size_t i = 0; i < sample.solutions.size(); ++i) {
      seconds.add(sample.solutions[i], i + 1);
    }
  }
  if (phase == Phase::solution && seconds.is_empty()) {
    return seconds_by_process(record, Phase::first_solution);
  }
  return seconds.values();
}

bool is_on_gpu(const Record& record, const std::vector<std::string>& stages) {
  // A GPU that does none of the named stages does all of them, or none was announced.
  if (stages.empty() || record.gpu_stages.empty()) return record.on_gpu.value_or(false);
  return std::ranges::any_of(stages, [&](const std::string& stage) {
    return std::ranges::count(record.gpu_stages, stage) > 0;
  });
}

std::vector<double> seconds_of_stage(const Record& record, const std::string& stage) {
  return joined(seconds_by_process(record, stage));
}

SecondsByProcess seconds_by_process(const Record& record, const std::string& stage) {
  BelievedSeconds seconds(record);
  for (const Sample& sample : record.samples) {
    seconds.begin(sample);
    if (const auto around = sample.around.find(stage); around != sample.around.end()) {
      for (const double one : around->second) seconds.add(one);
    }
    const auto found = sample.stages.find(stage);
    if (found == sample.stages.end()) continue;
    for (std::size_t i = 0; i < found->second.size(); ++i) seconds.add(found->second[i], i);
  }
  return seconds.values();
}

Memory memory_of(const Record& record) {
  Memory most;
  for (const Sample& sample : record.samples) most = larger_of(most, sample.memory);
  return most;
}

const Energy* energy_of(const Record& record) {
  for (const Sample& sample : record.samples) {
    if (sample.energy) return &*sample.energy;
  }
  return nullptr;
}

double seconds_of_energy(const Record& record) {
  const Energy* energy = energy_of(record);
  return energy == nullptr ? 0 : energy->idle_seconds + energy->window_seconds;
}

ExitCode verdict(const Record& record, bool strict) {
  switch (record.status) {
    case Status::failed:
      return ExitCode::failed;
    case Status::timeout:
    case Status::not_run:
    case Status::noisy:
    case Status::throttled:
    case Status::implausible:
      return strict ? ExitCode::failed : ExitCode::ok;
    case Status::invalid:
      return record.expected_invalid && !strict ? ExitCode::ok : ExitCode::invalid;
    default:
      return ExitCode::ok;
  }
}

ExitCode gravest(ExitCode a, ExitCode b) {
  for (const ExitCode code : {ExitCode::failed, ExitCode::invalid, ExitCode::usage,
                              ExitCode::slower, ExitCode::ambiguous}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::ok;
}

}  // namespace macrobench
