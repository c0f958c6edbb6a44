#include "harness/records/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/met_conditions.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

/// A clock's resolution, and what a sum of rounded numbers may be off.
constexpr double clock_slack = 1e-3;

double seconds_in(const Sample& sample) {
  double sum = (std::isnan(sample.start) ? 0 : sample.start) + sample.first_solution;
  for (const double seconds : sample.solutions) sum += seconds;
  return sum;
}

Reason against_stages(const Sample& sample) {
  std::vector<double> whole{sample.first_solution};
  whole.insert(whole.end(), sample.solutions.begin(), sample.solutions.end());
  std::vector<double> sums(whole.size(), 0);
  for (const auto& [name, entries] : sample.stages) {
    if (entries.size() != whole.size()) {
      return {"its stages are not of its solutions",
              fmt::format("a stage has {} times, and there are {} solutions", entries.size(),
                          whole.size())};
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += entries[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > whole[i] * (1 + clock_slack) + 1e-6) {
      return {"its stages take longer than their solution", fmt::format("solution {}", i + 1)};
    }
  }
  return {};
}

/// Of which nothing is known: it has every core that a case asks for, and the largest GPU.
Machine any_machine() {
  Machine machine;
  machine.block["cpu"] = {{"model", nullptr}, {"cores_available", 1 << 20}};
  return machine;
}

/// A stranger's floor is no better than his times.
Reason against_floor(const Record& record, const Machine& machine) {
  if (!record.declared_floor || record.declared_floor == record.floor) {
    return why_implausible(record, machine);
  }
  Record again = record;
  again.floor = record.declared_floor;
  return why_implausible(again, machine);
}

}  // namespace

Reason against_status(const Record& record) {
  const auto contradicted = [](const char* how) {
    return Reason(Reason::Kind::status_contradicted, how);
  };
  const std::optional<Outcome>& outcome = record.outcome;
  if (outcome && outcome->valid != outcome->why.empty()) {
    return contradicted("its outcome has a reason only if it is not valid");
  }
  if (record.expected_invalid && record.status != Status::invalid) {
    return contradicted("it is known to be invalid, and has another status");
  }
  if (has_right_result(record.status)) {
    if (record.samples.empty()) return contradicted("it was measured, and has no sample");
    if (!outcome || !outcome->valid) {
      return contradicted("it was measured, and has no valid outcome");
    }
  }
  if (record.status == Status::measured) {
    return record.why.empty() ? Reason() : contradicted("it is measured, and has a reason why not");
  }
  if (record.why.empty()) return contradicted("it is not measured, and has no reason");
  if (record.status == Status::invalid && (!outcome || outcome->valid)) {
    return contradicted("it is invalid, and its outcome is not");
  }
  if (record.status == Status::not_run && (outcome || !record.samples.empty())) {
    return contradicted("it was not run, and has a result");
  }
  return {};
}

Reason against_residual(const Record& record) {
  if (!record.outcome || !record.outcome->valid) return {};
  const Outcome& outcome = *record.outcome;
  if (outcome.residual >= 0 && outcome.residual <= outcome.allowed) return {};
  return {"its residual is above what is allowed",
          fmt::format("{:.3g}, and {:.3g} is allowed", outcome.residual, outcome.allowed)};
}

Reason against_key(const Record& record) {
  constexpr const char* of_another = "its key is of other parameters";
  const std::string id = record.id();
  std::string_view rest = record.key;
  if (!rest.starts_with(id)) return of_another;
  rest.remove_prefix(id.size());
  std::set<std::string, std::less<>> named;
  while (!rest.empty()) {
    // " nk=4096"
    const std::string_view name = rest.substr(1, rest.find('=') - 1);
    const Value* value = record.parameters.find(name);
    if (value == nullptr || !named.emplace(name).second) return of_another;
    const std::string field = key_field(name, to_string(*value));
    if (!rest.starts_with(field)) return of_another;
    rest.remove_prefix(field.size());
    if (!rest.empty() && rest.front() != ' ') return of_another;
  }
  const Implementation* here = Registry::global().find(id);
  if (here == nullptr) return {};
  try {
    for (const auto& [name, value] : complete_recorded(here->axes, record.parameters)) {
      if (named.contains(name) || value == find_axis(here->axes, name).default_value) continue;
      return {"its key leaves out a parameter", name};
    }
  } catch (const UsageError&) {
    return {};  // axes or values of another version
  }
  return {};
}

Reason against_times(const Record& record) {
  double sum = 0;
  for (const Sample& sample : record.samples) {
    sum += seconds_in(sample);
    Reason why = against_stages(sample);
    if (!why.empty()) return why;
  }
  if (sum > record.seconds + clock_slack) {
    return {"its samples take longer than the whole of it",
            fmt::format("{:.4g} s of {:.4g} s", sum, record.seconds)};
  }
  const bool takes_none =
      !record.samples.empty() && median(seconds_of(record, Phase::solution)) <= 0;
  return takes_none ? Reason("its solutions take no time") : Reason();
}

Reason against_campaign(const Record& record, const std::vector<Campaign>& campaigns) {
  const auto its = std::ranges::find(campaigns, record.campaign, &Campaign::id);
  if (record.campaign.empty() || its == campaigns.end()) return {};
  // Times in UTC, as they are written, are in the order of their texts. After the beginning the
  // clock may have been set back, within its day.
  constexpr std::size_t day = 10;
  const bool is_of_it = std::ranges::any_of(its->sittings, [&](const Sitting& sitting) {
    return record.machine == sitting.machine &&
           record.time.substr(0, day) >= sitting.began.substr(0, day) &&
           (sitting.ended.empty() || record.time <= sitting.ended);
  });
  return is_of_it ? Reason() : "its campaign was at another time or on another machine";
}

std::vector<std::string> judge_records(std::vector<Record>& records,
                                       const std::map<std::string, Machine>& machines,
                                       const std::vector<Campaign>& campaigns) {
  std::vector<std::string> contradictions;
  std::set<std::string_view> misnamed;
  for (const auto& [id, machine] : machines) {
    if (machine.id() != id) misnamed.insert(id);
  }
  const Machine any = any_machine();
  const NoiseCheck noise(records);
  for (Record& record : records) {
    if (!has_right_result(record.status) || record.status == Status::implausible) continue;
    Reason why = against_status(record);
    if (why.empty()) why = against_residual(record);
    if (why.empty()) why = against_key(record);
    if (why.empty() && misnamed.contains(record.machine))
      why = "its machine's block has another id";
    if (why.empty()) why = against_campaign(record, campaigns);
    if (why.empty()) why = against_times(record);
    if (why.empty()) why = against_start(record);
    if (why.empty()) why = against_threads(record);
    if (why.empty()) why = against_readings(record);
    if (why.empty()) why = against_precision(record);
    if (why.empty()) why = noise.against_status(record);
    const auto machine = machines.find(record.machine);
    if (why.empty()) why = against_floor(record, machine == machines.end() ? any : machine->second);
    if (why.empty()) continue;
    contradictions.push_back(fmt::format("{} of {}: {}", record.key, record.time, why));
    record.status = Status::implausible;
    record.why = std::move(why);
  }
  return contradictions;
}

}  // namespace macrobench
