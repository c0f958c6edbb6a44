#include "harness/records/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

bool is_near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool is_near(const Floor& a, const Floor& b) {
  return is_near(a.bytes, b.bytes) && is_near(a.operations, b.operations) &&
         is_near(a.exchanged, b.exchanged) && a.stages == b.stages;
}

template <class T>
bool is_near(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? is_near(*a, *b) : a.has_value() == b.has_value();
}

/// The largest residual that any certificate allows the record. A certificate adds to the tolerance
/// rounding that depends on the solution: in the reference records at most 700,000 times the
/// rounding of 1. A calibration of the user's may have values of another size.
double most_allowed(const Record& record) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const Model* model = Registry::global().find_model(record.model);
  if (model == nullptr) return unknown;
  const bool single = is_single(record.parameters);
  const double epsilon =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  double tolerance = 0;
  bool is_papers = true;
  try {
    for (const auto& [name, value] : complete_recorded(model->axes, record.parameters)) {
      const Axis& axis = find_axis(model->axes, name);
      const auto* number = std::get_if<double>(&value);
      const bool is_method = std::ranges::count(model->method_axes, name) > 0;
      if (is_method) continue;  // another way to the same values
      if (name.ends_with("tolerance") && number != nullptr) {
        tolerance = std::max(tolerance, *number);
      } else if (!axis.headline && !axis.counts_cores) {
        is_papers = is_papers && value == axis.default_value;
      }
    }
  } catch (const UsageError&) {
    return unknown;  // axes or values of another version
  }
  const double of_others = single ? unknown : 1e-2;
  return 100 * tolerance + (is_papers ? 1e6 * epsilon : of_others);
}

/// True if a published finding says that the case goes wrong. It may still come out right.
bool is_known_invalid(const Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr) return false;
  try {
    return !Case{here, complete_recorded(here->axes, record.parameters)}.known_invalid().empty();
  } catch (const UsageError&) {
    return false;  // axes or values of another version
  }
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
  if (!(outcome.residual >= 0 && outcome.residual <= outcome.allowed)) {
    return {"its residual is above what is allowed",
            fmt::format("{:.3g}, and {:.3g} is allowed", outcome.residual, outcome.allowed)};
  }
  if (outcome.residual == 0 && is_known_invalid(record)) {
    return "its case is known to go wrong, and its residual is 0";
  }
  const double most = most_allowed(record);
  if (outcome.allowed <= most) return {};
  return {"it allows a larger residual than its model does",
          fmt::format("{:.3g}, and at most {:.3g}", outcome.allowed, most)};
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

Reason against_case(const Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr || !is_of_this_build(record)) return {};
  try {
    const Case which{here, complete_recorded(here->axes, record.parameters)};
    // A file that a record names is not looked at.
    if (!reads_file(which) && which.key() != record.key) return "its key is not its case's";
    if (to_string(here->origin) != record.origin) return "its origin is not its implementation's";
    Record again = record;
    again.work.reset();
    again.floor.reset();
    again.on_gpu.reset();
    again.gpu_stages.clear();
    add_facts(which, again);
    const auto differs = [](const char* what) {
      return Reason("its " + std::string(what) + " is not what its case makes of it");
    };
    if (!is_near(again.work, record.work)) return differs("work");
    if (!is_near(again.floor, record.floor)) return differs("floor");
    if (again.on_gpu != record.on_gpu || again.gpu_stages != record.gpu_stages) {
      return differs("processor");
    }
  } catch (const UsageError&) {
    return "its parameters are not its implementation's";
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
  // Times in UTC, as they are written, are in the order of their texts. After the beginning the
  // clock may have been set back, within its day.
  constexpr std::size_t day = 10;
  if (record.campaign.empty()) {
    const bool is_older = std::ranges::all_of(campaigns, [&](const Campaign& campaign) {
      return record.time.substr(0, day) < campaign.first().began.substr(0, day);
    });
    return is_older || record.turns ? Reason() : "it names no campaign, and the folder has some";
  }
  const auto its = std::ranges::find(campaigns, record.campaign, &Campaign::id);
  if (its == campaigns.end()) return {};
  const bool is_of_it = std::ranges::any_of(its->sittings, [&](const Sitting& sitting) {
    return record.machine == sitting.machine &&
           record.time.substr(0, day) >= sitting.began.substr(0, day) &&
           (sitting.ended.empty() || record.time <= sitting.ended);
  });
  return is_of_it ? Reason() : "its campaign was at another time or on another machine";
}

std::vector<std::string> judge_records(std::vector<Record>& records,
                                       const std::map<std::string, Machine>& machines,
                                       const std::vector<Campaign>& campaigns,
                                       const std::vector<Reason>& reasons) {
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
    if (why.empty() && !reasons.empty()) {
      why = reasons[static_cast<std::size_t>(&record - records.data())];
    }
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
    if (why.empty() && machine != machines.end()) why = against_machine(record, machine->second);
    if (why.empty()) why = against_floor(record, machine == machines.end() ? any : machine->second);
    if (why.empty()) continue;
    contradictions.push_back(fmt::format("{} of {}: {}", record.key, record.time, why));
    record.status = Status::implausible;
    record.why = std::move(why);
  }
  return contradictions;
}

}  // namespace macrobench
