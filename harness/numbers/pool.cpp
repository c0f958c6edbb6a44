#include "harness/numbers/pool.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <tuple>

#include "harness/machine/machine.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/each.hpp"

namespace macrobench {

namespace {

constexpr std::array<Phase, 4> phases{Phase::start, Phase::first_solution, Phase::solution,
                                      Phase::total};

/// The median of each process that has a time.
std::vector<double> medians_of(const SecondsByProcess& seconds) {
  std::vector<double> medians;
  for (const std::vector<double>& one : seconds) {
    if (!one.empty()) medians.push_back(median(one));
  }
  return medians;
}

/// Each process's median, by its sitting.
using BySitting = std::map<std::string, std::vector<double>>;

std::vector<SittingMean> means_of(const BySitting& sittings) {
  return each(sittings, [](const auto& one) {
    return SittingMean{std::log(median(one.second)), static_cast<int>(one.second.size())};
  });
}

/// The variance of the logarithms around the mean of each sitting.
double variance_within(const std::vector<BySitting>& cases) {
  double squares = 0;
  double degrees = 0;
  for (const BySitting& sittings : cases) {
    for (const auto& [sitting, times] : sittings) {
      squares += sum_of_squared_logarithms(times);
      degrees += static_cast<double>(times.size() - 1);
    }
  }
  return degrees > 0 ? squares / degrees : 0;
}

/// True if no solution of it was warm.
bool is_cold(const Record& record) {
  return std::ranges::all_of(record.samples,
                             [](const Sample& sample) { return sample.solutions.empty(); });
}

/// Those with warm solutions if there is one: a first solution stands in for a warm one only beside
/// others like it.
std::vector<const Record*> of_one_warmth(std::span<const Record* const> records) {
  std::vector<const Record*> warm;
  std::ranges::copy_if(records, std::back_inserter(warm),
                       [](const Record* record) { return !is_cold(*record); });
  return warm.empty() ? std::vector(records.begin(), records.end()) : warm;
}

/// The name of the samples: "warm solutions".
std::string samples_of(Phase phase, bool is_stage, bool is_cold) {
  if (phase == Phase::start || phase == Phase::total) return "processes";
  if (is_stage) return "solutions, the first included";
  return phase == Phase::first_solution || is_cold ? "first solutions" : "warm solutions";
}

/// "2.7%", "27%".
std::string percent(double share) {
  return share < 0.1 ? fmt::format("{:.2g}%", 100 * share) : fmt::format("{:.0f}%", 100 * share);
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

std::vector<std::string> compilers_of(const Results& results) {
  std::map<std::string, std::string> newest_of_machine;  // time of its newest record, by id
  for (const Record& record : results.records) {
    if (record.status != Status::measured) continue;
    std::string& time = newest_of_machine[record.machine];
    time = std::max(time, record.time);
  }
  std::map<std::string, std::string> newest;  // the same, by compiler
  for (const auto& [id, machine] : results.machines) {
    const auto its = newest_of_machine.find(id);
    const std::string compiler = machine.text_at("/compiler/name");
    if (its == newest_of_machine.end() || compiler.empty()) continue;
    std::string& time = newest[compiler];
    time = std::max(time, its->second);
  }
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [compiler, time] : newest) all.emplace_back(time, compiler);
  std::ranges::sort(all, std::greater());
  return each(all, [](const auto& one) { return one.second; });
}

Pool::Pool(const Results& results) {
  const std::vector<std::string> compilers = compilers_of(results);
  if (!compilers.empty()) main_compiler_ = compilers.front();
  for (const auto& [id, machine] : results.machines) {
    machines_[id] = {machine.slug(), machine.text_at("/compiler/name"),
                     static_cast<int>(machine.number_at("/cpu/cores_available").value_or(0))};
  }
  for (const Campaign& campaign : results.campaigns) {
    campaigns_[campaign.id] = std::make_shared<const Campaign>(campaign);
  }
  using CaseOfSource = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<std::pair<bool, Phase>, std::map<CaseOfSource, BySitting>> known;
  for (const Record& record : results.records) {
    if (record.status != Status::measured || !record.on_gpu) continue;
    const Provenance origin = origin_of(record);
    for (const Phase phase : phases) {
      if (phase == Phase::solution && is_cold(record)) continue;  // it is a first solution's noise
      for (const double time : medians_of(seconds_by_process(record, phase))) {
        if (!(time > 0)) continue;
        known[{*record.on_gpu, phase}][{record.key, origin.source, origin.machine, origin.compiler}]
             [origin.sitting]
                 .push_back(time);
      }
    }
  }
  for (const bool on_gpu : {false, true}) {
    for (const Phase phase : phases) {
      const auto cases = each(known[{on_gpu, phase}], [](const auto& one) { return one.second; });
      const auto means = each(cases, means_of);
      noise_[{on_gpu, phase}] =
          noise_of(means, variance_within(cases), on_gpu ? usual_noise_of_gpu : usual_noise_of_cpu);
    }
  }
}

Provenance Pool::origin_of(const Record& record) const {
  Provenance origin;
  origin.source = record.source;
  const auto machine = machines_.find(record.machine);
  origin.machine = machine == machines_.end() ? record.machine : machine->second.kind;
  if (machine != machines_.end()) origin.compiler = machine->second.compiler;
  origin.sitting =
      record.campaign.empty() ? record.time.substr(0, record.time.find('T')) : record.campaign;
  const auto campaign = campaigns_.find(record.campaign);
  if (campaign == campaigns_.end()) return origin;
  origin.campaign = campaign->second;
  // Times in UTC, as they are written, are in the order of their texts.
  for (const Sitting& sitting : campaign->second->sittings) {
    const bool is_of_it = sitting.machine == record.machine && sitting.began <= record.time;
    if (is_of_it) origin.sitting = campaign->first + " " + sitting.began;
  }
  return origin;
}

bool Pool::is_alike(const Record& one, const Record& other) const {
  if (one.key != other.key) return false;
  const Provenance a = origin_of(one);
  const Provenance b = origin_of(other);
  return std::tie(a.machine, a.compiler, a.source) == std::tie(b.machine, b.compiler, b.source);
}

Cell Pool::time_of(std::span<const Record* const> records, Phase phase,
                   const std::vector<std::string>& stages, const SecondsOf& seconds) const {
  const Record& newest = *records.back();
  const bool is_stage = !stages.empty();
  Cell cell{.status = newest.status, .why = newest.why, .unit = "s"};
  cell.scope = is_stage ? Scope::stage : scope_of(phase);
  cell.stage = name_of_stages(stages);
  cell.on_gpu = is_on_gpu(newest, stages);
  cell.problem = problem_of(newest);
  const std::vector<const Record*> taken = phase == Phase::solution && !is_stage
                                               ? of_one_warmth(records)
                                               : std::vector(records.begin(), records.end());
  cell.is_cold = std::ranges::all_of(taken, [](const Record* record) { return is_cold(*record); });
  cell.samples_of = samples_of(phase, is_stage, cell.is_cold);
  cell.is_cold = cell.is_cold && phase == Phase::solution;
  BySitting sittings;
  std::vector<double> all;
  for (const Record* record : taken) {
    const SecondsByProcess its = seconds(*record);
    for (const std::vector<double>& process : its) {
      all.insert(all.end(), process.begin(), process.end());
    }
    const std::vector<double> medians = medians_of(its);
    if (medians.empty()) continue;
    Provenance origin = origin_of(*record);
    std::vector<double>& of_sitting = sittings[origin.sitting];
    of_sitting.insert(of_sitting.end(), medians.begin(), medians.end());
    cell.processes += static_cast<int>(medians.size());
    cell.from.insert(std::move(origin));
  }
  if (all.empty()) return cell;
  cell.kind = Kind::measured;
  cell.samples = static_cast<int>(all.size());
  cell.spread = relative_spread(all);
  cell.sittings = static_cast<int>(sittings.size());
  const double first = median(sittings.begin()->second);
  cell.value = first;
  const Noise& its = noise(cell.on_gpu, cell.is_cold ? Phase::first_solution : phase);
  cell.between = its.between;
  if (!(first > 0)) return cell;  // a start-up of nothing is known exactly
  const PooledTime time = pooled(means_of(sittings), its);
  if (sittings.size() > 1) cell.value = std::exp(time.log_time);
  cell.interval = interval_of(time);
  cell.variance = time.variance;
  cell.shared = std::min(time.variance, its.between / static_cast<double>(sittings.size()));
  cell.degrees = time.degrees;
  const auto machine = machines_.find(newest.machine);
  const int cores = machine == machines_.end() ? 0 : machine->second.cores;
  const int threads = threads_of(newest.parameters);
  if (!cell.on_gpu && cores > 0 && threads > cores) {
    cell.marks.insert(
        {"cores", fmt::format("{} threads on {} core{}", threads, cores, cores == 1 ? "" : "s")});
  }
  for (const Provenance& origin : cell.from) {
    if (origin.compiler.empty() || origin.compiler == main_compiler_) continue;
    cell.marks.insert({"compiler", "compiled by " + origin.compiler});
  }
  const std::optional<double> drift = drift_between(cell.from, cell.from, cell.on_gpu);
  if (drift && *drift > 2 * std::sqrt(its.between)) {
    cell.marks.insert({"campaign", joined_campaigns(cell.from, cell.on_gpu)});
  }
  return cell;
}

std::vector<std::vector<const Record*>> pooled_records(
    const Results& results, const Pool& pool, const std::function<bool(const Record&)>& is_chosen) {
  std::map<std::string, std::vector<const Record*>> by_key;
  for (const Record& record : results.records) {
    if (record.status != Status::not_run) by_key[record.key].push_back(&record);
  }
  std::vector<std::vector<const Record*>> all;
  for (auto& [key, records] : by_key) {
    const Record* newest = records.front();
    for (const Record* one : records) {
      if (replaces(*one, *newest)) newest = one;
    }
    if (!is_chosen(*newest)) continue;
    std::erase_if(records, [&](const Record* one) {
      return one->status != newest->status || !is_chosen(*one) || !pool.is_alike(*one, *newest);
    });
    all.push_back(std::move(records));
  }
  return all;
}

std::optional<double> drift_between(const std::set<Provenance>& one,
                                    const std::set<Provenance>& other, std::optional<bool> on_gpu) {
  const auto speeds_of = [&](const Provenance& origin) {
    std::vector<Speed> speeds;
    if (origin.campaign == nullptr || origin.campaign->sittings.empty()) return speeds;
    std::ranges::copy_if(origin.campaign->first().speeds_at_begin, std::back_inserter(speeds),
                         [&](const Speed& speed) {
                           const bool is_gpu = speed.key.starts_with("roofline/cuda");
                           return is_gpu == on_gpu.value_or(is_gpu);
                         });
    return speeds;
  };
  double largest = 0;
  for (const Provenance& before : one) {
    for (const Provenance& after : other) {
      if (before.sitting == after.sitting) continue;
      const bool is_one_campaign = before.campaign != nullptr && after.campaign != nullptr &&
                                   before.campaign->id == after.campaign->id;
      if (is_one_campaign) continue;
      const std::vector<Speed> earlier = speeds_of(before);
      bool is_known = false;
      for (const Speed& speed : speeds_of(after)) {
        const std::optional<double> change = drift(earlier, speed);
        if (!change) continue;
        is_known = true;
        largest = std::max(largest, std::abs(std::log1p(*change)));
      }
      if (!is_known) return std::nullopt;
    }
  }
  return largest;
}

std::string joined_campaigns(const std::set<Provenance>& origins, std::optional<bool> on_gpu) {
  std::set<std::string> campaigns;
  for (const Provenance& origin : origins) {
    campaigns.insert(origin.campaign == nullptr ? origin.sitting : origin.campaign->id);
  }
  if (campaigns.size() < 2) return "";
  const std::optional<double> drift = drift_between(origins, origins, on_gpu);
  return fmt::format(
      "of {} campaigns, between which {}",
      campaigns.size() == 2 ? "two" : std::to_string(campaigns.size()),
      drift ? fmt::format("the machine changed by up to {}", percent(std::expm1(*drift)))
            : "the drift of the machine is unknown");
}

}  // namespace macrobench
