#include "harness/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace macrobench {

namespace {

template <class Enum, std::size_t n>
using Names = std::array<std::pair<Enum, std::string_view>, n>;

constexpr Names<Status, 8> status_names{{{Status::measured, "measured"},
                                         {Status::computed, "computed"},
                                         {Status::extrapolated, "extrapolated"},
                                         {Status::constant, "constant"},
                                         {Status::not_run, "not_run"},
                                         {Status::invalid, "invalid"},
                                         {Status::failed, "failed"},
                                         {Status::timeout, "timeout"}}};

constexpr Names<Phase, 4> phase_names{{{Phase::start, "start"},
                                       {Phase::first_solution, "first_solution"},
                                       {Phase::solution, "solution"},
                                       {Phase::total, "total"}}};

template <class Enum, std::size_t n>
std::string name_of(const Names<Enum, n>& names, Enum value) {
  const auto found = std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first);
  if (found == names.end()) throw std::logic_error("a value outside its enumeration");
  return std::string(found->second);
}

}  // namespace

std::string to_string(Status status) {
  return name_of(status_names, status);
}
Status status_from(std::string_view text) {
  for (const auto& [status, name] : status_names) {
    if (name == text) return status;
  }
  throw std::invalid_argument(fmt::format("'{}' is no status", text));
}
std::string to_string(Phase phase) {
  return name_of(phase_names, phase);
}

std::vector<double> seconds_of(const Record& record, Phase phase) {
  std::vector<double> seconds;
  if (phase == Phase::solution) {
    for (const Sample& sample : record.samples) {
      seconds.insert(seconds.end(), sample.solutions.begin(), sample.solutions.end());
    }
    return seconds.empty() ? seconds_of(record, Phase::first_solution) : seconds;
  }
  for (const Sample& sample : record.samples) {
    if (phase == Phase::start) seconds.push_back(sample.start);
    if (phase == Phase::first_solution) seconds.push_back(sample.first_solution);
    if (phase == Phase::total) seconds.push_back(sample.start + sample.first_solution);
  }
  return seconds;
}

bool is_on_gpu(const Record& record, const std::vector<std::string>& stages) {
  // A GPU that does none of the named stages does all of them, or none was announced.
  if (stages.empty() || record.gpu_stages.empty()) return record.on_gpu.value_or(false);
  return std::ranges::any_of(stages, [&](const std::string& stage) {
    return std::ranges::count(record.gpu_stages, stage) > 0;
  });
}

std::vector<double> seconds_of_stage(const Record& record, const std::string& stage) {
  std::vector<double> seconds;
  for (const Sample& sample : record.samples) {
    const auto found = sample.stages.find(stage);
    if (found == sample.stages.end()) continue;
    seconds.insert(seconds.end(), found->second.begin(), found->second.end());
  }
  return seconds;
}

ExitCode verdict(const Record& record, bool strict) {
  switch (record.status) {
    case Status::failed:
      return ExitCode::failed;
    case Status::timeout:
    case Status::not_run:
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
