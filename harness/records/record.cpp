#include "harness/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

constexpr std::array<std::string_view, 11> status_names{
    "measured",    "computed", "extrapolated", "constant", "noisy",  "throttled",
    "implausible", "not_run",  "invalid",      "failed",   "timeout"};
/// Seconds of solutions, without those for which the GPU was slowed down, as long as some are left.
class BelievedSeconds {
 public:
  explicit BelievedSeconds(const Record& record) : takes_all_(is_throttled(record)) {}

  void add(double seconds) {
    all_.push_back(seconds);
    believed_.push_back(seconds);
  }
  void add(double seconds, const Sample& sample, std::size_t solution) {
    all_.push_back(seconds);
    const bool is_slowed =
        sample.gpu && std::ranges::binary_search(sample.gpu->throttled, solution);
    if (takes_all_ || !is_slowed) believed_.push_back(seconds);
  }
  [[nodiscard]] bool is_empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<double>& values() const {
    return believed_.empty() ? all_ : believed_;
  }

 private:
  bool takes_all_;
  std::vector<double> all_, believed_;
};

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
  BelievedSeconds seconds(record);
  for (const Sample& sample : record.samples) {
    if (phase == Phase::start) seconds.add(sample.start);
    if (phase == Phase::first_solution) seconds.add(sample.first_solution, sample, 0);
    if (phase == Phase::total) seconds.add(sample.start + sample.first_solution, sample, 0);
    if (phase != Phase::solution) continue;
    for (std::size_t i = 0; i < sample.solutions.size(); ++i) {
      seconds.add(sample.solutions[i], sample, i + 1);
    }
  }
  if (phase == Phase::solution && seconds.is_empty()) {
    return seconds_of(record, Phase::first_solution);
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
  BelievedSeconds seconds(record);
  for (const Sample& sample : record.samples) {
    if (const auto around = sample.around.find(stage); around != sample.around.end()) {
      for (const double one : around->second) seconds.add(one);
    }
    const auto found = sample.stages.find(stage);
    if (found == sample.stages.end()) continue;
    for (std::size_t i = 0; i < found->second.size(); ++i) seconds.add(found->second[i], sample, i);
  }
  return seconds.values();
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
