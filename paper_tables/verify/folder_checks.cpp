#include "paper_tables/verify/folder_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

using Result = Check::Result;

std::string or_unknown(const std::string& text, const char* what) {
  return text.empty() ? fmt::format("unknown {}", what) : text;
}

/// "AMD EPYC, 2 cores, no GPU".
std::string hardware_of(const Machine& machine) {
  const std::optional<double> cores = machine.number_at("/cpu/cores_in_machine");
  const std::string gpu = machine.text_at("/gpu/name");
  return fmt::format("{}, {}, {}", or_unknown(machine.text_at("/cpu/model"), "CPU"),
                     cores ? fmt::format("{:.0f} cores", *cores) : "unknown cores",
                     gpu.empty() ? "no GPU" : gpu);
}

/// "GNU 12.2.0 -O3 -DNDEBUG".
std::string compiler_at(const Machine& machine, const std::string& pointer) {
  const std::string name = machine.text_at((pointer + "/name").c_str());
  const std::string flags = machine.text_at((pointer + "/flags").c_str());
  return name.empty() || flags.empty() ? name : name + " " + flags;
}

std::string compilers_of(const Machine& machine) {
  const std::string host = or_unknown(compiler_at(machine, "/compiler"), "compiler");
  const std::string device = compiler_at(machine, "/cuda_compiler");
  return device.empty() ? host : host + " and " + device;
}

/// As the names of folders have it.
std::string digits_of(const Machine& machine) {
  return machine.is_identified() ? "machine " + machine.identity().substr(0, 6)
                                 : "no machine named";
}

/// A kind of work that the campaigns measure: on which processor, and whether it copies.
struct Measured {
  bool is_gpu = false;
  bool is_copy = false;
  auto operator<=>(const Measured&) const = default;
};

/// " threads=16" in a key; 1 without it.
int threads_in(std::string_view key) {
  constexpr std::string_view field = " threads=";
  const std::size_t at = key.find(field);
  int threads = 0;
  for (std::size_t i = at + field.size(); at != key.npos && i < key.size(); ++i) {
    if (key[i] < '0' || key[i] > '9' || threads > 100'000) break;
    threads = 10 * threads + (key[i] - '0');
  }
  return std::max(1, threads);
}

/// The best rates of all campaigns: bytes per second of the whole processor, operations per second
/// of a core or of the whole GPU.
class CampaignSpeeds {
 public:
  explicit CampaignSpeeds(const std::vector<Campaign>& campaigns) {
    for (const Campaign& campaign : campaigns) {
      for (const Sitting& sitting : campaign.sittings) {
        if (!sitting.speeds.empty()) ++commands_;
        for (const Speed& speed : sitting.speeds) add(speed);
      }
    }
  }

  [[nodiscard]] int commands() const { return commands_; }
  [[nodiscard]] std::optional<double> best(const Measured& what) const {
    const auto its = best_.find(what);
    return its == best_.end() ? std::nullopt : std::optional(its->second);
  }

 private:
  void add(const Speed& speed) {
    if (speed.seconds.empty()) return;
    const double seconds = *std::ranges::min_element(speed.seconds);
    if (!(seconds > 0)) return;
    const std::string id = speed.key.substr(0, speed.key.find(' '));
    const Measured what{.is_gpu = Registry::global().needs_gpu(id), .is_copy = speed.bytes > 0};
    const double rate =
        what.is_copy ? speed.bytes / seconds : speed.operations / seconds / threads_in(speed.key);
    double& best = best_[what];
    best = std::max(best, rate);
  }

  std::map<Measured, double> best_;
  int commands_ = 0;
};

/// A ceiling's record: how many times the campaigns' best it says.
std::optional<double> times_best(const Record& record, const CampaignSpeeds& speeds) {
  if (record.model != ceilings_model || record.status != Status::measured || !record.floor ||
      record.floor->stages.size() != 1 || is_single(record.parameters)) {
    return std::nullopt;  // the campaigns measure in double
  }
  const Floor& floor = *record.floor;
  const Measured what{.is_gpu = is_on_gpu(record, floor.stages),
                      .is_copy = floor.stages.front() == "copy"};
  // A cache may hold arrays that are smaller than the campaigns'.
  constexpr std::int64_t copied_numbers = std::int64_t{1} << 23;
  const Value* numbers = record.parameters.find("n");
  const auto* n = numbers == nullptr ? nullptr : std::get_if<std::int64_t>(numbers);
  if (what.is_copy && (n == nullptr || *n < copied_numbers)) return std::nullopt;
  if (!what.is_copy && floor.stages.front() != "multiply_add") return std::nullopt;
  const std::vector<double> all = seconds_of_stage(record, floor.stages.front());
  const std::optional<double> best = speeds.best(what);
  if (all.empty() || !best) return std::nullopt;
  const double seconds = *std::ranges::min_element(all);
  if (!(seconds > 0)) return std::nullopt;
  const int processors = what.is_gpu    ? gpus_of(record.parameters)
                         : what.is_copy ? 1
                                        : threads_of(record.parameters);
  return (what.is_copy ? floor.bytes : floor.operations) / seconds / (*best * processors);
}

}  // namespace

Check check_machines(const Results& results) {
  Check check{.name = "machines", .about = "all records have equal hardware"};
  using Group = std::tuple<std::string, std::string, std::string>;
  std::map<Group, std::size_t> groups;
  std::map<std::string, std::size_t> hardware;
  std::set<std::string> compilers;
  std::map<std::string, Machine> named;
  for (const Record& record : results.records) {
    const auto its = results.machines.find(record.machine);
    if (its == results.machines.end()) continue;
    named.insert(*its);
  }
  std::map<std::string, Group> group_of;
  for (const auto& [id, machine] : named) {
    group_of[id] = {hardware_of(machine), digits_of(machine), compilers_of(machine)};
    compilers.insert(compilers_of(machine));
  }
  for (const Record& record : results.records) {
    const auto its = group_of.find(record.machine);
    if (its == group_of.end()) continue;
    ++groups[its->second];
    ++hardware[std::get<0>(its->second)];
  }
  for (const auto& [group, count] : groups) {
    const auto& [what, which, compiled] = group;
    check.notes.push_back(
        fmt::format("{}: {}; {}; {}", counted(count, "record"), what, which, compiled));
  }
  if (groups.size() < 2) check.notes.clear();
  if (hardware.size() > 1) {
    std::vector<std::string> all;
    for (const auto& [what, count] : hardware) {
      all.push_back(fmt::format("{} of {}", counted(count, "record"), what));
    }
    check.fail(fmt::format("different machines are in one folder: {}", fmt::join(all, "; ")));
  }
  // One that does not say which it is may be any of them, or another.
  const bool all_say =
      std::ranges::all_of(named, [](const auto& one) { return one.second.is_identified(); });
  check.detail =
      fmt::format("{}{}, {}", all_say ? "" : "at least ", counted(count_machines(named), "machine"),
                  counted(compilers.size(), "compiler"));
  return check;
}

Check check_speeds(const Results& results) {
  Check check{.name = "speeds", .about = "ceilings are those that the campaigns measured"};
  const CampaignSpeeds speeds(results.campaigns);
  int compared = 0;
  for (const Record& record : results.records) {
    const std::optional<double> times = times_best(record, speeds);
    if (!times) continue;
    ++compared;
    if (*times > speed_margin) {
      check.fail(
          fmt::format("{} of {}: it is {:.1f} times as fast as the campaigns ever found the "
                      "machine",
                      record.key, record.time, *times));
    }
  }
  check.detail = fmt::format("{} compared with {}", counted(compared, "ceiling"),
                             counted(speeds.commands(), "command"));
  if (compared == 0) check.result = Result::unknown;
  return check;
}

std::vector<Check> check_folder(const Results& results) {
  return {check_lines(results), check_records(results), check_machines(results),
          check_speeds(results)};
}

std::string faults_in(const Results& results) {
  std::string faults;
  for (const Check& check : check_folder(results)) {
    if (check.faults.empty()) continue;
    faults += fmt::format("{}{} ({})", faults.empty() ? "" : ", ", check.name, check.faults.size());
  }
  return faults;
}

}  // namespace macrobench
