#include "paper_tables/times/times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/each.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/printed_number.hpp"

namespace macrobench {

namespace {

/// Its cases are what a processor does at its best: no problem of a paper.
constexpr std::string_view ceilings_model = "roofline";

using Cases = std::vector<const Record*>;

/// True if `other` is the case of the batch's first economy by itself.
bool is_its_first_alone(const Record& batch, const Record& other) {
  if (batch.model != other.model || batch.implementation != other.implementation) return false;
  if (economies_of(other.parameters) != 1) return false;
  return std::ranges::all_of(batch.parameters, [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    if (name == "economies" || name == "draw") return true;
    const Value* its = other.parameters.find(name);
    // However many threads a batch has, each economy is solved on one.
    return its != nullptr && *its == (name == "threads" ? Value(std::int64_t{1}) : value);
  });
}

std::vector<BatchTimes> batches_of(const Cases& measured, const FolderTimes& times,
                                   const Prices& prices) {
  std::vector<BatchTimes> batches;
  for (const Record* record : measured) {
    if (economies_of(record->parameters) == 1) continue;
    BatchTimes batch{.called = record->key,
                     .model = record->model,
                     .is_gpu = record->on_gpu.value_or(false),
                     .economies = economies_of(record->parameters),
                     .time = times_of(*record, times).solution()};
    if (!(batch.time.value.value_or(0) > 0)) continue;
    if (const Energy* energy = energy_of(*record)) {
      batch.joules = {.value = energy->joules_per_solution,
                      .kind = Kind::measured,
                      .status = Status::measured,
                      .unit = "J"};
    }
    if (batch.is_gpu && prices.gpu_usd_per_hour) {
      constexpr double seconds_per_hour = 3600;
      batch.dollars =
          product(constant(*prices.gpu_usd_per_hour / seconds_per_hour, "USD"), batch.time);
    }
    const auto alone = std::ranges::find_if(
        measured, [&](const Record* other) { return is_its_first_alone(*record, *other); });
    if (alone != measured.end()) batch.alone = times_of(**alone, times).solution();
    batches.push_back(std::move(batch));
  }
  return batches;
}

// --- crossovers --------------------------------------------------------------------------------

/// A case of some size, and the value of the axis that grows with the size, if one does.
struct Point {
  CaseTimes times;
  double grown = 0;
};

/// The cases of an implementation by size.
using Series = std::map<double, Point>;

struct ProblemKey {
  std::string model;
  std::string parameters;
  auto operator<=>(const ProblemKey&) const = default;
};

struct Implementations {
  std::map<std::string, Series> gpu, cpu;  ///< by name, and by threads for a CPU
  bool is_one_series = true;               ///< no size is there twice, with other grown values
};

/// Without the size, what grows with it and the number of threads.
std::string problem_of(const Record& record, const std::string& growing) {
  std::string problem = problem_of(record, [&](const Axis& axis, const Model& model) {
    return axis.name == model.size_axis || axis.name == growing || axis.counts_cores;
  });
  if (!growing.empty()) {
    problem += fmt::format("{}({} grows too)", problem.empty() ? "" : " ", growing);
  }
  return problem;
}

std::string name_with_cores(const Model& model, const Record& record) {
  std::string name = record.implementation;
  for (const Axis& axis : model.axes) {
    const Value* threads = axis.counts_cores ? record.parameters.find(axis.name) : nullptr;
    if (threads != nullptr) name += key_field(axis.name, to_string(*threads));
  }
  return name;
}

Overtaking overtaking_of(const ProblemKey& problem, const std::pair<std::string, Series>& gpu,
                         const std::pair<std::string, Series>& cpu) {
  Overtaking one{.model = problem.model,
                 .problem = problem.parameters,
                 .gpu = gpu.first,
                 .cpu = cpu.first,
                 .size_axis = Registry::global().model(problem.model).size_axis,
                 .sizes = {},
                 .in_solution = {},
                 .in_total = {}};
  std::vector<double> solution, total;  // a GPU's over a CPU's
  for (const auto& [size, point] : gpu.second) {
    const auto found = cpu.second.find(size);
    if (found == cpu.second.end() || found->second.grown != point.grown) continue;
    const CaseTimes& on_gpu = point.times;
    const CaseTimes& on_cpu = found->second.times;
    const bool both_warm = on_gpu.warm.value && on_cpu.warm.value;
    const auto solved = both_warm ? &CaseTimes::warm : &CaseTimes::first;
    const Ratio in_solution(on_gpu.*solved, on_cpu.*solved, of_programs());
    const Ratio in_total(on_gpu.total, on_cpu.total, of_programs());
    if (in_solution.is_refused() || in_total.is_refused()) continue;
    one.sizes.push_back(size);
    for (const auto& [ratio, list] : {std::pair(&in_solution, &solution), {&in_total, &total}}) {
      list->push_back(known_value(ratio->cell().value));
      one.marks.insert(ratio->cell().marks.begin(), ratio->cell().marks.end());
    }
  }
  if (one.sizes.empty()) return one;
  one.in_solution = crossover(one.sizes, solution);
  one.in_total = crossover(one.sizes, total);
  return one;
}

/// True if the grown values rise with the size.
bool rises(const Series& series) {
  return std::ranges::adjacent_find(series, [](const auto& a, const auto& b) {
           return a.second.grown >= b.second.grown;
         }) == series.end();
}

/// The problems of the records in which nothing but the size differs, and this axis if it is named.
std::map<ProblemKey, Implementations> problems_of(const Cases& measured, const FolderTimes& times,
                                                  const std::string& model_name,
                                                  const std::string& growing) {
  std::map<ProblemKey, Implementations> problems;
  const Model& model = Registry::global().model(model_name);
  for (const Record* record : measured) {
    if (record->model != model_name || !record->on_gpu) continue;
    const std::optional<double> size = number_of(record->parameters.find(model.size_axis));
    if (!size || !(*size > 0)) continue;
    Implementations& all = problems[{model_name, problem_of(*record, growing)}];
    Series& series = *record->on_gpu ? all.gpu[record->implementation]
                                     : all.cpu[name_with_cores(model, *record)];
    const double grown = number_of(record->parameters.find(growing)).value_or(0);
    Point point{times_of(*record, times), grown};
    const auto [at, is_new] = series.try_emplace(*size, std::move(point));
    if (!is_new) all.is_one_series = false;
  }
  return problems;
}

void add_overtakings(const std::map<ProblemKey, Implementations>& problems, bool all_grows,
                     std::vector<Overtaking>& overtakings) {
  for (const auto& [problem, all] : problems) {
    if (all_grows && !all.is_one_series) continue;
    for (const auto& gpu : all.gpu) {
      for (const auto& cpu : all.cpu) {
        if (all_grows && !(rises(gpu.second) && rises(cpu.second))) continue;
        Overtaking one = overtaking_of(problem, gpu, cpu);
        // The size at which a line is crossed takes two points at least.
        if (one.sizes.size() > 1) overtakings.push_back(std::move(one));
      }
    }
  }
}

/// Where a table's sizes differ in another axis too, in a model that has several, this is left out
/// of what must be the same, if it rises with the size.
std::vector<Overtaking> overtakings_of(const Cases& measured, const FolderTimes& times) {
  std::vector<Overtaking> overtakings;
  for (const Model& model : Registry::global().models()) {
    add_overtakings(problems_of(measured, times, model.name, ""), false, overtakings);
    for (const std::string& axis : model.work_axes) {
      add_overtakings(problems_of(measured, times, model.name, axis), true, overtakings);
    }
  }
  return overtakings;
}

/// Models that ran on both, with no such pair.
std::vector<std::string> without_a_pair(const Cases& measured,
                                        const std::vector<Overtaking>& overtakings) {
  std::map<std::string, std::set<bool>> ran;
  for (const Record* record : measured) {
    if (record->on_gpu) ran[record->model].insert(*record->on_gpu);
  }
  std::vector<std::string> models;
  for (const auto& [model, on] : ran) {
    if (on.size() == 2 && std::ranges::count(overtakings, model, &Overtaking::model) == 0) {
      models.push_back(model);
    }
  }
  return models;
}

// --- single precision --------------------------------------------------------------------------

SinglePrecision::End end_of(const Outcome& outcome) {
  using enum SinglePrecision::End;
  if (outcome.valid) return converged;
  if (outcome.gave_up) return cycling;
  // The solver was content with it, and what is left is above what rounding explains.
  return outcome.residual > outcome.allowed ? stagnated : not_decided;
}

/// Whether a figure belongs to the solution, not a count or an error, which no two precisions
/// share.
bool is_of_the_solution(std::string_view figure) {
  constexpr std::array<std::string_view, 9> others{"error",  "distance", "iterations",
                                                   "passes", "nodes",    "states",
                                                   "clips",  "relaxed",  "residual"};
  return std::ranges::none_of(
      others, [&](std::string_view word) { return figure.find(word) != std::string_view::npos; });
}

/// The same case in double: what may differ besides is the tolerance.
bool is_its_double(const Record& single, const Record& other) {
  if (single.model != other.model || single.implementation != other.implementation) return false;
  if (is_single(other.parameters)) return false;
  return std::ranges::all_of(single.parameters, [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    if (name == "real" || name.find("tolerance") != std::string::npos) return true;
    const Value* its = other.parameters.find(name);
    return its != nullptr && *its == value;
  });
}

/// `right` are records of right results, noisy ones too.
void compare_with_double(SinglePrecision& one, const Record& single, const Cases& right) {
  const auto found = std::ranges::find_if(
      right, [&](const Record* other) { return other->outcome && is_its_double(single, *other); });
  if (found == right.end()) return;
  const std::map<std::string, double>& figures = known_value(single.outcome).figures;
  for (const auto& [name, value] : known_value((*found)->outcome).figures) {
    const auto its = figures.find(name);
    if (its == figures.end() || !is_of_the_solution(name) || value == 0) continue;
    const double error = std::abs(its->second / value - 1);
    if (!std::isfinite(error) || error < one.error.value_or(0)) continue;
    one.error = error;
    one.figure = name;
  }
}

}  // namespace

CaseTimes times_of(const Record& record, const FolderTimes& times) {
  const auto time = [&](Phase phase) {
    return times.time_of(record, phase, {}, seconds_by_process(record, phase));
  };
  CaseTimes made{.key = record.key,
                 .is_gpu = record.on_gpu.value_or(false),
                 .start = time(Phase::start),
                 .first = time(Phase::first_solution),
                 .warm = time(Phase::solution),
                 .total = time(Phase::total)};
  if (made.warm.is_cold) made.warm = {.why = "no warm solution", .unit = "s"};
  return made;
}

Cell BatchTimes::per_thousand(const Cell& of_batch) const {
  if (!of_batch.value) return of_batch;
  return Ratio(of_batch, constant(static_cast<double>(economies) / 1000), {}).cell();
}

Crossover crossover(const std::vector<double>& sizes, const std::vector<double>& ratios) {
  const auto lead = [&](std::size_t i) { return std::log(ratios[i]); };
  std::size_t i = sizes.size();
  while (i > 0 && lead(i - 1) < 0) --i;
  if (i == sizes.size()) return {.where = Crossover::Where::beyond};
  if (i == 0) return {.where = Crossover::Where::below};
  const double share = lead(i - 1) / (lead(i - 1) - lead(i));
  return {.where = Crossover::Where::between,
          .size = sizes[i - 1] * std::pow(sizes[i] / sizes[i - 1], share)};
}

std::vector<BatchTimes> published_batches(Definitions& all) {
  std::vector<BatchTimes> published;
  for (const Definition* table : all.get_all({})) {
    if (!table->batch) continue;
    const auto printed = [&](const std::string& label, std::size_t column, const char* unit) {
      const RowDefinition* row = table->find_row(label);
      if (row == nullptr || column >= row->published.size()) return Cell{};
      Cell cell = printed_cell(*row, column, Cell{.unit = unit});
      cell.unit = unit;
      return cell;
    };
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      Cell time = printed(table->batch->seconds, c, "s");
      if (!(time.value.value_or(0) > 0)) continue;
      published.push_back(
          {.called = fmt::format("{}, {}: {}", table->paper, table->title, table->columns[c].label),
           .table = table->id(),
           .model = table->model,
           .economies = table->batch->economies,
           .time = std::move(time),
           .joules = printed(table->batch->joules, c, "J"),
           .dollars = printed(table->batch->dollars, c, "USD")});
    }
  }
  return published;
}

Times times_of(const Results& results, const Prices& prices,
               const std::vector<BatchTimes>& published) {
  const FolderTimes folder(results);
  const auto cases_where = [&](const std::function<bool(const Record&)>& is_chosen) {
    return shown_records(results, [&](const Record& record) {
      return record.model != ceilings_model && is_chosen(record);
    });
  };
  const Cases measured =
      cases_where([](const Record& record) { return record.status == Status::measured; });
  const Cases right =
      cases_where([](const Record& record) { return is_result_believed(record.status); });
  const Cases with_outcome = cases_where(
      [](const Record& record) { return record.outcome && record.status != Status::implausible; });
  Times times;
  const std::vector<ProcessorCeilings> ceilings = ceilings_of(results);
  times.cases = each(right, [&](const Record* record) {
    CaseTimes made = times_of(*record, folder);
    made.floor = share_of(*record, folder, ceilings);
    return made;
  });
  times.batches = batches_of(measured, folder, prices);
  times.dollars_source = prices.gpu_usd_per_hour_source;
  for (const BatchTimes& one : published) {
    const bool has_some =
        std::ranges::find(times.batches, one.model, &BatchTimes::model) != times.batches.end();
    if (has_some) times.published.push_back(one);
  }
  times.programs = program_times_of(measured, folder);
  times.overtakings = overtakings_of(measured, folder);
  times.not_comparable = without_a_pair(measured, times.overtakings);
  times.work_precision = work_precision_of(with_outcome, folder);
  for (const Record* record : with_outcome) {
    if (!is_single(record->parameters)) continue;
    const Outcome& outcome = known_value(record->outcome);
    SinglePrecision one{.key = record->key,
                        .end = end_of(outcome),
                        .iterations = outcome.iterations,
                        .residual = outcome.residual,
                        .allowed = outcome.allowed,
                        .unit = Registry::global().model(record->model).unit_of("residual")};
    compare_with_double(one, *record, right);
    times.single_precision.push_back(std::move(one));
  }
  return times;
}

}  // namespace macrobench
