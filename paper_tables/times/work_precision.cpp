#include "paper_tables/times/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/times/case_names.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

constexpr const char* tolerance_axis = "tolerance";

/// Two points make a line of anything.
constexpr std::size_t least_points = 3;

/// True if the record counts: an outcome whose residual is known, and times.
bool is_a_point(const Record& record) {
  const Value* tolerance = record.parameters.find(tolerance_axis);
  return tolerance != nullptr && std::holds_alternative<double>(*tolerance) && record.outcome &&
         record.outcome->residual > 0 && !is_doubted(record.status) &&
         !seconds_of(record, Phase::solution).empty();
}

/// The problem is what all of the model's points have a value of: a frontier has no method to
/// choose, and stands beside those that have. The rest belongs to the implementation's name.
CaseNames names_of(const Record& record, const std::set<std::string>& shared) {
  return names_of(record, [&](const Axis& axis) {
    if (axis.name == tolerance_axis) return Belongs::nowhere;
    const bool is_shared = shared.contains(axis.name) && !axis.counts_cores;
    return is_shared ? Belongs::to_problem : Belongs::to_implementation;
  });
}

}  // namespace

std::vector<WorkPrecision> work_precision_of(const std::vector<const Record*>& cases,
                                             const FolderTimes& times) {
  std::map<std::string, std::set<std::string>> shared;  // names of axes, by model
  for (const Record* record : cases) {
    if (!is_a_point(*record)) continue;
    std::set<std::string> its;
    for (const auto& [name, value] : record->parameters) its.insert(name);
    std::set<std::string>& of_all = shared.try_emplace(record->model, its).first->second;
    std::erase_if(of_all, [&](const std::string& name) { return !its.contains(name); });
  }
  std::map<std::pair<std::string, CaseNames>, std::vector<PrecisionPoint>> all;  // by model
  for (const Record* record : cases) {
    if (!is_a_point(*record)) continue;
    const Outcome& outcome = *record->outcome;
    all[{record->model, names_of(*record, shared[record->model])}].push_back(
        {.tolerance = std::get<double>(*record->parameters.find(tolerance_axis)),
         .residual = outcome.residual,
         .time = times_of(*record, times).solution(),
         .iterations = outcome.iterations,
         .is_valid = outcome.valid});
  }
  std::vector<WorkPrecision> made;
  for (auto& [which, points] : all) {
    const auto& [model, names] = which;
    std::set<double> tolerances;
    for (const PrecisionPoint& point : points) tolerances.insert(point.tolerance);
    if (tolerances.size() < least_points) continue;
    std::ranges::stable_sort(points, std::greater(), &PrecisionPoint::tolerance);
    made.push_back({.model = model,
                    .problem = names.problem,
                    .implementation = names.implementation,
                    .unit = Registry::global().model(model).unit_of("residual"),
                    .points = std::move(points)});
  }
  return made;
}

namespace {

struct PointRow {
  const WorkPrecision* of;
  const PrecisionPoint* point;
};

}  // namespace

Sheet sheet_of(const std::vector<WorkPrecision>& all) {
  using One = PointRow;
  using enum Column::Kind;
  std::vector<One> rows;
  for (const WorkPrecision& one : all) {
    for (const PrecisionPoint& point : one.points) rows.push_back({&one, &point});
  }
  return SheetOf<One>("work_precision", {"model", "problem", "implementation", "tolerance"},
                      "What precision costs")
      .data("model", [](const One& one) { return one.of->model; })
      .column(
          "problem", {"problem", words, Column::Place::above},
          [](const One& one) { return one.of->problem; },
          [](const One& one) { return fmt::format("{}, {}", one.of->model, one.of->problem); })
      .column("implementation", {"implementation", words},
              [](const One& one) { return one.of->implementation; })
      .column(
          "tolerance", {"tolerance"}, [](const One& one) { return one.point->tolerance; },
          [](const One& one) { return fmt::format("{:.1e}", one.point->tolerance); })
      .column(
          "residual", {"certified residual"}, [](const One& one) { return one.point->residual; },
          [](const One& one) {
            return fmt::format("{:.1e}{}", one.point->residual,
                               one.point->is_valid ? "" : ", invalid");
          })
      .data("residual_unit", [](const One& one) { return one.of->unit; })
      .data("is_valid", [](const One& one) { return one.point->is_valid; })
      .column(
          "iterations", {"iterations"}, [](const One& one) { return one.point->iterations; },
          [](const One& one) { return std::to_string(one.point->iterations); })
      .column(
          "solution", {"a solution"}, [](const One& one) { return one.point->time; },
          [](const One& one) { return shown_of(one.point->time, "s"); })
      .of(rows);
}

}  // namespace macrobench
