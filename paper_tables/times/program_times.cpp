#include "paper_tables/times/program_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/pool.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/each.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/times/case_names.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

/// True if both solve the same problem by the same algorithm in the same precision.
bool is_like(const Record& one, const Record& other) {
  if (one.model != other.model || one.on_gpu != other.on_gpu) return false;
  return std::ranges::all_of(Registry::global().model(one.model).axes, [&](const Axis& axis) {
    if (axis.counts_cores) return true;
    const auto value_in = [&](const Record& record) {
      const Value* its = record.parameters.find(axis.name);
      if (its != nullptr) return *its;
      return is_of_a_program(record) ? axis.if_lacking() : axis.of_ours.value_or(axis.if_lacking());
    };
    return value_in(one) == value_in(other);
  });
}

/// Methods belong to the problem: rows that stand together have the same algorithm.
CaseNames names_of(const Record& record) {
  return names_of(record, [](const Axis& axis) {
    return axis.counts_cores ? Belongs::to_implementation : Belongs::to_problem;
  });
}

std::string seconds(const std::optional<double>& value) {
  return value ? format_duration(*value) : "";
}

std::string times_over(const std::optional<double>& one, const std::optional<double>& best) {
  return one && best && *best > 0 ? format_number(*one / *best) + "×" : "";
}

}  // namespace

std::vector<ProgramTimes> program_times_of(const std::vector<const Record*>& measured,
                                           const Pool& pool) {
  std::vector<ProgramTimes> programs;
  for (const Record* record : measured) {
    if (!is_of_a_program(*record)) continue;
    const CaseTimes its = times_of(*record);
    const CaseNames names = names_of(*record);
    ProgramTimes one{.key = record->key,
                     .problem = fmt::format("{}, {}", record->model, names.problem),
                     .name = names.implementation,
                     .origin = record->origin,
                     .is_gpu = its.is_gpu,
                     .process = median(seconds_of_stage(*record, "process")),
                     .start = median(seconds_of_stage(*record, "start")),
                     .first = its.cold,
                     .warm = its.warm};
    for (const Record* other : measured) {
      if (is_of_a_program(*other) || has_its_own_way(*other)) continue;
      if (!is_like(*record, *other)) continue;
      const CaseTimes ours = times_of(*other);
      const std::optional<double> seconds = solution_of(ours);
      const auto best = one.best_warm ? one.best_warm : one.best_first;
      if (!seconds || (best && *best <= *seconds)) continue;
      one.best = other->key;
      one.best_name = names_of(*other).implementation;
      one.best_first = ours.cold;
      one.best_warm = ours.warm;
      one.drift = joined_campaigns({pool.origin_of(*record), pool.origin_of(*other)}, one.is_gpu);
    }
    programs.push_back(std::move(one));
  }
  std::ranges::stable_sort(programs, {}, [](const ProgramTimes& one) {
    return std::pair(one.problem, one.warm.value_or(one.first.value_or(0)));
  });
  return programs;
}

std::optional<double> ProgramTimes::until(int solutions) const {
  if (!first || (solutions > 1 && !warm)) return std::nullopt;
  return process + start + *first + (solutions - 1) * warm.value_or(0);
}

std::vector<Block> blocks_of(const std::vector<ProgramTimes>& programs) {
  if (programs.empty()) return {};
  const bool joins_campaigns =
      std::ranges::any_of(programs, [](const ProgramTimes& one) { return !one.drift.empty(); });
  const auto row = [&](const ProgramTimes& one) {
    Row made{{one.problem, one.name, one.is_gpu ? "GPU" : "CPU", seconds(one.process),
              seconds(one.start), seconds(one.first), seconds(one.warm), seconds(one.until(1)),
              seconds(one.until(1000)), times_over(one.first, one.best_first),
              times_over(one.warm, one.best_warm), one.best_name}};
    if (joins_campaigns) made.cells.emplace_back(one.drift);
    return made;
  };
  const auto columns_here = [&] {
    std::vector<Column> columns =
        columns_of({"problem", "program", "on"},
                   {"process", "start", "first", "warm", "to the first answer", "a thousand",
                    "first over its", "warm over its"},
                   {"best of ours by the same algorithm", "its campaigns"});
    columns.front().place = columns.back().place = Column::Place::above;
    if (!joins_campaigns) columns.pop_back();
    return columns;
  };
  std::vector<Block> blocks;
  for (const std::string_view label : programs_labels) {
    std::vector<Row> rows;
    for (const ProgramTimes& one : programs) {
      if (programs_label_of(one.origin) == label) rows.push_back(row(one));
    }
    if (!rows.empty()) {
      blocks.emplace_back(grid_of(columns_here(), std::move(rows), std::string(label)));
    }
  }
  blocks.emplace_back(
      Paragraph{"Process: from the launch to the first answer. Start: libraries and the device. "
                "First: the first solution, and what is compiled at first use. Warm: a "
                "solution after it. To the first answer: what a user waits, from the launch "
                "on. A thousand: the same until so many solutions in one process, as an "
                "estimator needs them. The last columns have the fastest of ours that solves the "
                "same problem by the same algorithm in the same precision, on a GPU or not as "
                "the program, on any number of threads; frontiers have another algorithm."});
  return blocks;
}

ordered_json to_json(const std::vector<ProgramTimes>& programs) {
  return each(programs, [](const ProgramTimes& one) -> ordered_json {
    return {{"key", one.key},
            {"origin", one.origin},
            {"gpu", one.is_gpu},
            {"process", one.process},
            {"start", one.start},
            {"first", or_null(one.first)},
            {"warm", or_null(one.warm)},
            {"first_answer", or_null(one.until(1))},
            {"thousand", or_null(one.until(1000))},
            {"best", or_null(one.best)},
            {"best_first", or_null(one.best_first)},
            {"best_warm", or_null(one.best_warm)},
            {"drift", or_null(one.drift)}};
  });
}

}  // namespace macrobench
