#include "paper_tables/floors/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "harness/model/floor.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "paper_tables/cells/drift.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/floors/ceilings.hpp"

namespace macrobench {

namespace {

/// By how much the work of each may differ in weak scaling.
constexpr double same_work = 0.1;
/// The model says nothing beyond this many.
constexpr int most_predicted = 64;
constexpr std::string_view threads_axis = "threads";

bool is_parallel(std::string_view axis) {
  return std::ranges::find(parallel_axes, axis) != std::end(parallel_axes);
}

/// How many of them a record has along the axis; none if it has no such axis.
std::optional<int> count_of(const Record& record, const char* axis) {
  const Value* value = record.parameters.find(axis);
  const auto* count = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return count == nullptr ? std::nullopt : std::optional(static_cast<int>(*count));
}

bool is_of_several(const Record& record) {
  return std::ranges::any_of(
      parallel_axes, [&](const char* axis) { return count_of(record, axis).value_or(1) > 1; });
}

/// The parameters that decide which problem it is.
std::string problem_of(const Record& record, bool with_size, bool with_threads) {
  return problem_of(record, [&](const Axis& axis, const Model& model) {
    return is_parallel(axis.name) || (axis.name == model.size_axis && !with_size) ||
           (axis.name == threads_axis && !with_threads);
  });
}

/// A measured record, as a point and as a baseline.
struct Measured {
  const Record* record;
  ScalingPoint point;
  Origins origin;
};

/// The least squares of relative errors with two terms, none negative: seconds ~ x[0] f + x[1] g.
struct Sample2 {
  double f, g, seconds;
};
std::array<double, 2> fit_two(const std::vector<Sample2>& samples) {
  double ff = 0;
  double fg = 0;
  double gg = 0;
  double fy = 0;
  double gy = 0;
  for (const auto& [f_raw, g_raw, seconds] : samples) {
    const double f = f_raw / seconds;
    const double g = g_raw / seconds;
    ff += f * f;
    fg += f * g;
    gg += g * g;
    fy += f;
    gy += g;
  }
  const double determinant = ff * gg - fg * fg;
  const std::array<double, 2> alone = {ff > 0 ? fy / ff : 0, gg > 0 ? gy / gg : 0};
  if (samples.size() > 1 && determinant > 1e-12 * ff * gg) {
    const std::array<double, 2> both = {(fy * gg - gy * fg) / determinant,
                                        (gy * ff - fy * fg) / determinant};
    if (both[0] >= 0 && both[1] >= 0) return both;
  }
  // One term alone: the one that leaves less. Its residual is the number of samples less this.
  if (alone[0] * fy >= alone[1] * gy) return {alone[0], 0};
  return {0, alone[1]};
}

double steps(int count) {
  return std::log2(static_cast<double>(count));
}

std::vector<Measured> measured_in(const Results& results) {
  const std::vector<ProcessorCeilings> ceilings = ceilings_of(results);
  const auto gpu = std::ranges::find_if(ceilings, &ProcessorCeilings::is_gpu);
  const double link = gpu == ceilings.end() ? 0 : gpu->exchanged_bytes_a_second.value_or(0);
  CampaignIndex campaigns(results.campaigns);
  std::vector<Measured> all;
  for (const Record* record : newest_measured(results)) {
    const double seconds = median(seconds_of(*record, Phase::solution));
    const Model* model = Registry::global().find_model(record->model);
    if (model == nullptr || !(seconds > 0)) continue;
    ScalingPoint point{.seconds = seconds,
                       .size = size_of(*record),
                       .size_number = model->size_of(record->parameters),
                       .work = record->work.value_or(0)};
    const std::vector<double> exchange = seconds_of_stage(*record, exchange_stage);
    if (!exchange.empty()) point.exchange = median(exchange);
    const std::optional<FloorShare> share = share_of(*record, ceilings);
    if (share) point.of_floor = share->share();
    if (point.exchange.value_or(0) > 0 && record->floor && record->floor->exchanged > 0) {
      point.bus = record->floor->exchanged / *point.exchange;
      if (link > 0 && record->on_gpu.value_or(false)) point.of_link = *point.bus / link;
    }
    const auto machine = results.machines.find(record->machine);
    const int cores = machine == results.machines.end() ? 0 : machine->second.cores();
    const bool is_gpu = record->on_gpu.value_or(false);
    point.is_crowded = !is_gpu && cores > 0 && threads_of(record->parameters) > cores;
    all.push_back({record, point, {{origin_of(*record), campaigns.of(*record)}}});
  }
  return all;
}

/// The fastest measured program for the record's problem that is none of several, on a GPU as the
/// record or on a CPU as it.
void set_best(StrongScaling& strong, const Measured& like, const std::vector<Measured>& all,
              Origins& origins) {
  const std::string problem = problem_of(*like.record, true, false);
  const Measured* best = nullptr;
  for (const Measured& one : all) {
    if (one.record->model != like.record->model || is_of_several(*one.record)) continue;
    if (is_of_a_user(*one.record)) continue;
    if (one.record->on_gpu.value_or(false) != like.record->on_gpu.value_or(false)) continue;
    if (problem_of(*one.record, true, false) != problem) continue;
    if (best == nullptr || one.point.seconds < best->point.seconds) best = &one;
  }
  if (best == nullptr) return;
  strong.best = best->record->implementation;
  const Value* threads = best->record->parameters.find(threads_axis);
  if (threads != nullptr) strong.best += key_field(threads_axis, to_string(*threads));
  strong.best_seconds = best->point.seconds;
  origins.insert(best->origin.begin(), best->origin.end());
}

void predict(StrongScaling& strong) {
  strong.model = fit(strong.points);
  if (!strong.model) return;
  for (ScalingPoint& point : strong.points) point.predicted = strong.model->seconds(point.count);
  int count = 1;
  while (count <= strong.points.back().count) count *= 2;
  for (; count <= most_predicted; count *= 2) {
    strong.predictions.push_back({.count = count, .predicted = strong.model->seconds(count)});
  }
}

/// An implementation, a problem and an axis.
using Group = std::tuple<std::string, std::string, std::string>;
using ByCount = std::map<int, const Measured*>;

/// Whether the implementation of several devices that this one's was once called has its own
/// record with one.
bool is_replaced(const Measured& one, const FormerName& former, const std::vector<Measured>& all) {
  const std::string problem = problem_of(*one.record, true, true);
  return std::ranges::any_of(all, [&](const Measured& other) {
    return other.record->model == one.record->model && other.record->implementation == former.now &&
           count_of(*other.record, former.axis.c_str()) == 1 &&
           problem_of(*other.record, true, true) == problem;
  });
}

/// The records that have such an axis, with their counts; those of all sizes together without it.
/// The program that once had their name too is the one of what divides it among several devices.
std::map<Group, std::vector<ByCount::value_type>> groups_in(const std::vector<Measured>& all,
                                                            bool with_size) {
  std::map<Group, std::vector<ByCount::value_type>> groups;
  for (const Measured& one : all) {
    const auto add = [&](const std::string& implementation, const std::string& axis, int count) {
      groups[{one.record->model + "/" + implementation, problem_of(*one.record, with_size, true),
              axis}]
          .emplace_back(count, &one);
    };
    for (const char* axis : parallel_axes) {
      const std::optional<int> count = count_of(*one.record, axis);
      if (count) add(one.record->implementation, axis, *count);
    }
    const Registry& registry = Registry::global();
    for (const FormerName& former : registry.model(one.record->model).formerly) {
      if (former.axis.empty()) continue;
      const std::string was = fmt::format("{}/{}", one.record->model, former.was);
      if (registry.recorded(was, {}).id != one.record->id()) continue;
      if (!is_replaced(one, former, all)) add(former.now, former.axis, 1);
    }
  }
  return groups;
}

/// What strong and weak scaling share; adds the points' origins.
template <class Series>
Series series_of(const Group& group, const ByCount& by_count, Origins& origins) {
  const auto& [implementation, problem, axis] = group;
  Series series{.implementation = implementation, .problem = problem, .axis = axis, .points = {}};
  for (const auto& [count, one] : by_count) {
    series.points.push_back(one->point);
    series.points.back().count = count;
    origins.insert(one->origin.begin(), one->origin.end());
  }
  return series;
}

std::vector<StrongScaling> strong_in(const std::vector<Measured>& all) {
  std::vector<StrongScaling> result;
  for (const auto& [group, members] : groups_in(all, true)) {
    ByCount by_count;
    for (const auto& [count, one] : members) by_count[count] = one;
    if (by_count.size() < 2) continue;
    Origins origins;
    auto& strong = result.emplace_back(series_of<StrongScaling>(group, by_count, origins));
    if (strong.points.front().count == 1) strong.one = strong.points.front().seconds;
    set_best(strong, *by_count.begin()->second, all, origins);
    predict(strong);
    strong.drift = drift_of(origins);
  }
  return result;
}

std::vector<WeakScaling> weak_in(const std::vector<Measured>& all) {
  std::vector<WeakScaling> result;
  for (const auto& [group, members] : groups_in(all, false)) {
    for (const auto& [count_of_first, first] : members) {
      const double work_of_one = first->point.work;
      if (count_of_first != 1 || !(work_of_one > 0)) continue;
      ByCount by_count;
      const auto off = [&](int count, const Measured& one) {
        return std::abs(one.point.work / (count * work_of_one) - 1);
      };
      for (const auto& [count, one] : members) {
        if (off(count, *one) > same_work) continue;
        const auto [at, is_new] = by_count.try_emplace(count, one);
        if (!is_new && off(count, *one) < off(count, *at->second)) at->second = one;
      }
      if (by_count.size() < 2) continue;
      Origins origins;
      auto& weak = result.emplace_back(series_of<WeakScaling>(group, by_count, origins));
      weak.drift = drift_of(origins);
    }
  }
  return result;
}

}  // namespace

double AlphaBeta::seconds(int count) const {
  return serial + divided / count + alpha * steps(count) + beta * share_of_others(count);
}

std::optional<AlphaBeta> fit(const std::vector<ScalingPoint>& points) {
  std::vector<Sample2> computation;
  std::vector<Sample2> exchange;
  for (const ScalingPoint& point : points) {
    if (point.is_crowded) continue;
    const double exchanged = point.count > 1 ? point.exchange.value_or(0) : 0;
    computation.push_back({1, 1.0 / point.count, point.seconds - exchanged});
    if (exchanged > 0) {
      exchange.push_back({steps(point.count), share_of_others(point.count), exchanged});
    }
  }
  std::erase_if(computation, [](const Sample2& sample) { return !(sample.seconds > 0); });
  if (computation.size() < 2) return std::nullopt;
  const auto [serial, divided] = fit_two(computation);
  AlphaBeta model{
      .serial = serial, .divided = divided, .counts = static_cast<int>(computation.size())};
  if (!exchange.empty()) {
    const auto [alpha, beta] = fit_two(exchange);
    model.alpha = alpha;
    model.beta = beta;
  }
  return model;
}

double WeakScaling::efficiency(const ScalingPoint& point) const {
  const ScalingPoint& one = points.front();
  return point.work / point.seconds / (point.count * one.work / one.seconds);
}

Scaling scaling_of(const Results& results) {
  const std::vector<Measured> all = measured_in(results);
  return {.strong = strong_in(all), .weak = weak_in(all)};
}

}  // namespace macrobench
