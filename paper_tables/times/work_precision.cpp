#include "paper_tables/times/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

constexpr const char* tolerance_axis = "tolerance";

/// Two points make a line of anything.
constexpr std::size_t least_points = 3;

/// All but the tolerance and what only names how many cores solve it.
std::string problem_of(const Model& model, const Record& record) {
  std::string problem;
  for (const Axis& axis : model.axes) {
    if (axis.name == tolerance_axis || axis.counts_cores) continue;
    const Value* its = record.parameters.find(axis.name);
    if (its == nullptr) continue;
    const bool is_told =
        axis.headline || axis.name == model.size_axis || *its != axis.default_value;
    if (is_told) problem += key_part(axis.name, to_string(*its));
  }
  return problem.empty() ? problem : problem.substr(1);
}

}  // namespace

std::vector<WorkPrecision> work_precision_of(const std::vector<const Record*>& newest) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<PrecisionPoint>> all;
  for (const Record* record : newest) {
    const Value* tolerance = record->parameters.find(tolerance_axis);
    const auto* asked = tolerance == nullptr ? nullptr : std::get_if<double>(tolerance);
    if (asked == nullptr || !record->outcome || is_doubted(record->status)) continue;
    const std::vector<double> seconds = seconds_of(*record, Phase::solution);
    const Outcome& outcome = *record->outcome;
    if (seconds.empty() || !(outcome.residual > 0)) continue;
    const Model& model = Registry::global().model(record->model);
    all[{model.name, problem_of(model, *record), name_with_cores(model, *record)}].push_back(
        {.tolerance = *asked,
         .residual = outcome.residual,
         .seconds = known_value(solution_of(times_of(*record))),
         .iterations = outcome.iterations,
         .is_valid = outcome.valid});
  }
  std::vector<WorkPrecision> made;
  for (auto& [names, points] : all) {
    std::set<double> tolerances;
    for (const PrecisionPoint& point : points) tolerances.insert(point.tolerance);
    if (tolerances.size() < least_points) continue;
    std::ranges::stable_sort(points, std::greater(), &PrecisionPoint::tolerance);
    const auto& [model, problem, implementation] = names;
    made.push_back({.model = model,
                    .problem = problem,
                    .implementation = implementation,
                    .unit = Registry::global().model(model).unit_of("residual"),
                    .points = std::move(points)});
  }
  return made;
}

std::vector<Block> blocks_of(const std::vector<WorkPrecision>& all) {
  using enum Column::Kind;
  if (all.empty()) return {};
  std::vector<Row> rows;
  for (const WorkPrecision& one : all) {
    for (const PrecisionPoint& point : one.points) {
      rows.push_back({{fmt::format("{}, {}", one.model, one.problem), one.implementation,
                       fmt::format("{:.1e}", point.tolerance),
                       fmt::format("{:.1e}{}", point.residual, point.is_valid ? "" : ", invalid"),
                       std::to_string(point.iterations), format_duration(point.seconds)}});
    }
  }
  return {grid_of({{"problem", words, Column::Place::above},
                   {"implementation", words},
                   {"tolerance"},
                   {"certified residual"},
                   {"iterations"},
                   {"a solution"}},
                  std::move(rows), "What precision costs"),
          Paragraph{"The residual is what the model's certificate finds in the result, whatever "
                    "the program said of itself."}};
}

ordered_json to_json(const std::vector<WorkPrecision>& all) {
  ordered_json made = ordered_json::array();
  for (const WorkPrecision& one : all) {
    ordered_json points = ordered_json::array();
    for (const PrecisionPoint& point : one.points) {
      points.push_back({{"tolerance", point.tolerance},
                        {"residual", point.residual},
                        {"seconds", point.seconds},
                        {"iterations", point.iterations},
                        {"valid", point.is_valid}});
    }
    made.push_back({{"model", one.model},
                    {"problem", one.problem},
                    {"implementation", one.implementation},
                    {"unit", one.unit},
                    {"points", std::move(points)}});
  }
  return made;
}

}  // namespace macrobench
