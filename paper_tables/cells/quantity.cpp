#include "paper_tables/cells/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"

namespace macrobench {

namespace {

Cell failed(Reason why) {
  return {.status = Status::failed, .why = std::move(why)};
}

/// Every solution's seconds in the stages together; none if a stage is not in all of them.
SecondsByProcess seconds_of_stages(const Record& record, const std::vector<std::string>& stages) {
  SecondsByProcess sum = seconds_by_process(record, stages.front());
  for (std::size_t i = 1; i < stages.size(); ++i) {
    const SecondsByProcess more = seconds_by_process(record, stages[i]);
    for (std::size_t process = 0; process < sum.size(); ++process) {
      if (more[process].size() != sum[process].size()) return {};
      std::ranges::transform(sum[process], more[process], sum[process].begin(), std::plus<>());
    }
  }
  return sum;
}

SecondsByProcess whole_seconds(const Record& record, const RowDefinition& row) {
  const std::optional<Phase> phase = description_of(row.quantity).phase;
  return phase ? seconds_by_process(record, *phase) : seconds_of_stages(record, row.stages);
}

bool is_empty(const SecondsByProcess& seconds) {
  return std::ranges::all_of(seconds, [](const auto& its) { return its.empty(); });
}

/// A time, or one over the outcome's iterations.
Cell time_cell(const Finding& finding, const RowDefinition& row, const ColumnDefinition&) {
  if (is_empty(whole_seconds(*finding.record, row))) return failed("the record holds no sample");
  if (is_empty(seconds_of(*finding.record, row))) return failed("the record holds no iterations");
  return time_of(finding, row);
}

/// "panel", or several whose times are added up.
void read_stages(const Place& place, const Definition&, RowDefinition& row) {
  const Place stages = place.at("stage");
  row.stages = each(one_or_several(stages), &Place::text);
  if (row.stages.empty()) stages.fail("it must name a stage");
}

/// A number of the record's outcome.
Cell outcome_cell(const Finding& finding, double value) {
  Cell cell{.value = value,
            .kind = Kind::measured,
            .status = Status::measured,
            .problem = problem_of(*finding.record),
            .from = {finding.times->origin_of(*finding.record)}};
  mark_result(cell, *finding.record);
  if (!finding.as_before.empty()) {
    cell.marks.insert(
        {Sign::own, fmt::format("measured when {} was the default", finding.as_before)});
  }
  return cell;
}

/// Of a number in this unit that its program reports, or that rests on a report, and that nobody
/// recomputes.
void mark_self_reported(Cell& cell, const Record& record, const std::string& unit) {
  if (unit.ends_with("self-reported")) {
    cell.marks.insert({Sign::own, "self-reported: nobody recomputes it"});
  }
  // Which shifts the mean of capital, and the law.
  const bool is_of_capital = unit.find("capital") != std::string::npos;
  if (is_of_capital && record.outcome && record.outcome->notes.contains("first cross-section")) {
    cell.marks.insert({Sign::own, "its first cross-section is self-reported"});
  }
}

Cell iterations_cell(const Finding& finding, const RowDefinition&, const ColumnDefinition&) {
  const Record& record = *finding.record;
  if (!record.outcome) return failed("the record holds no outcome");
  return outcome_cell(finding, static_cast<double>(record.outcome->iterations));
}

Cell figure_cell(const Finding& finding, const RowDefinition& row, const ColumnDefinition& column) {
  const Record& record = *finding.record;
  const std::string& name = row.of.empty() ? column.figure : row.of;
  if (record.outcome) {
    const auto figure = record.outcome->figures.find(name);
    if (figure != record.outcome->figures.end()) {
      const std::string unit = Registry::global().model(record.model).unit_of(name);
      Cell cell =
          outcome_cell(finding, figure->second * factor_between(unit, row.unit).value_or(1));
      mark_self_reported(cell, record, unit);
      return cell;
    }
  }
  return failed(fmt::format("the record holds no figure '{}'", name));
}

void read_figure(const Place& place, const Definition& table, RowDefinition& row) {
  const bool in_columns =
      std::ranges::none_of(table.columns, &std::string::empty, &ColumnDefinition::figure);
  if (place.has("figure") || !in_columns) {
    row.of = read_figure_name(place.at("figure"), table.its_model());
  }
}

/// The reason names the part that stands in for another case.
Cell ratio_cell(const Cell& numerator, const Cell& baseline, const RowDefinition& row,
                const Aspects& about) {
  Cell cell = Ratio(numerator, baseline, about).cell();
  if (!cell.value) return cell;
  const std::string& above = known_value(row.numerator).row;
  const std::string& below = known_value(row.baseline).row;
  const bool is_above = numerator.kind == Kind::extrapolated;
  const bool is_below = baseline.kind == Kind::extrapolated;
  if (is_above || is_below) {
    cell.why = is_above && is_below ? "both parts are extrapolated"
                                    : fmt::format("{} is extrapolated", is_above ? above : below);
  } else if (!numerator.why.empty()) {
    cell.why = {fmt::format("{}: {}", above, numerator.why.clause), numerator.why.detail};
  } else if (!baseline.why.empty()) {
    cell.why = {fmt::format("{}: {}", below, baseline.why.clause), baseline.why.detail};
  }
  return cell;
}

void read_operands(const Place& place, RowDefinition& row) {
  row.numerator = read_reference(place.at("numerator"));
  row.baseline = read_reference(place.at("baseline"));
}

void read_ratio(const Place& place, const Definition&, RowDefinition& row) {
  read_operands(place, row);
  if (place.has("rule")) find_name(place.at("rule"), "kind of rule", {"stated", "inferred"});
}

/// max |x - y| / |y| in percent, where x is a series of one record and y the same of the other, for
/// one economy. It is about programs, precisions and machines.
Cell deviation_cell(const Finding& numerator, const Finding& baseline, const RowDefinition& row) {
  std::array<const std::vector<double>*, 2> series{};
  std::array<Cell, 2> cells;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Finding& one = i == 0 ? numerator : baseline;
    if (!one.record->outcome || !one.record->outcome->series.contains(row.of)) {
      return failed(fmt::format("the record holds no series '{}'", row.of));
    }
    series[i] = &one.record->outcome->series.at(row.of);
    cells[i] = outcome_cell(one, 0);
    // A series is declared by the figure of its mean.
    const Model& model = Registry::global().model(one.record->model);
    mark_self_reported(cells[i], *one.record, model.unit_of(row.of + "_mean"));
  }
  Aspects about = of_machines();
  about.merge(of_programs());
  about.merge(Aspects{Aspect::precision});
  Meeting meeting = meet(cells[0], cells[1], about);
  if (meeting.is_refused) return {.status = meeting.status, .why = std::move(meeting.why)};
  const auto& [x, y] = series;
  if (x->size() != y->size()) return failed("the two series differ in length");
  if (x->empty()) return failed("the two series are empty");
  double largest = 0;
  for (std::size_t t = 0; t < x->size(); ++t) {
    const double deviation = std::abs((*x)[t] / (*y)[t] - 1);
    if (!std::isfinite(deviation)) return failed("the series have values that are not finite");
    largest = std::max(largest, deviation);
  }
  return {.value = 100 * largest,
          .kind = Kind::computed,
          .status = Status::measured,
          .is_relaxed = cells[0].is_relaxed || cells[1].is_relaxed,
          .marks = std::move(meeting.marks)};
}

void read_deviation(const Place& place, const Definition&, RowDefinition& row) {
  read_operands(place, row);
  row.of = place.at("series").text();
}

/// What the model derives, if anything.
Cell constant_cell(const Definition& table, const RowDefinition& row, std::size_t column) {
  if (row.of.empty()) return {.kind = Kind::constant, .why = "as published: nothing is run"};
  const Model& model = table.its_model();
  const auto derived = std::ranges::find(model.derived, row.of, &DerivedNumber::name);
  const Parameters given = request_of(table, row, table.columns[column]).parameters;
  return {.value = derived->value(complete(model.axes, given, 1)),
          .kind = Kind::constant,
          .status = Status::measured,
          .why = derived->summary};
}

void read_constant(const Place& place, const Definition& table, RowDefinition& row) {
  if (!place.has("derived")) return;
  row.of = name_at(place.at("derived"), "derived number",
                   each(table.its_model().derived, &DerivedNumber::name));
}

}  // namespace

const std::vector<QuantityDescription>& quantities() {
  using enum Quantity;
  const auto time = [](Quantity quantity, std::string_view name, Phase phase) {
    return QuantityDescription{
        .quantity = quantity, .name = name, .unit = "s", .cell = time_cell, .phase = phase};
  };
  static const std::vector<QuantityDescription> all{
      time(start, "start", Phase::start),
      time(first_solution, "first_solution", Phase::first_solution),
      time(solution, "solution", Phase::solution),
      time(total, "total", Phase::total),
      {.quantity = stage,
       .name = "stage",
       .unit = "s",
       .cell = time_cell,
       .fields = {"stage"},
       .read = read_stages,
       .of = "stage"},
      {.quantity = iterations, .name = "iterations", .cell = iterations_cell, .is_exact = true},
      {.quantity = figure,
       .name = "figure",
       .cell = figure_cell,
       .fields = {"figure"},
       .read = read_figure,
       .of = "figure",
       .is_exact = true},
      {.quantity = ratio,
       .name = "ratio",
       .cell = ratio_cell,
       .fields = {"numerator", "baseline", "rule"},
       .read = read_ratio},
      {.quantity = deviation,
       .name = "deviation",
       .unit = "%",
       .cell = deviation_cell,
       .fields = {"numerator", "baseline", "series"},
       .read = read_deviation,
       .of = "series"},
      {.quantity = constant,
       .name = "constant",
       .cell = constant_cell,
       .fields = {"derived"},
       .read = read_constant,
       .of = "derived",
       .is_exact = true}};
  return all;
}

const QuantityDescription& description_of(Quantity quantity) {
  return *std::ranges::find(quantities(), quantity, &QuantityDescription::quantity);
}

std::string to_string(Quantity quantity) {
  return std::string(description_of(quantity).name);
}

Scope scope_of(Quantity quantity) {
  const QuantityDescription& its = description_of(quantity);
  if (!its.is_time()) return Scope::no_time;
  return its.phase ? scope_of(*its.phase) : Scope::stage;
}

std::string with_unit(const std::string& number, const std::string& unit) {
  if (unit == "1") return number;
  return fmt::format("{}{}{}", number, unit == "%" ? "" : " ", unit);
}

bool is_time(Quantity quantity) {
  return description_of(quantity).is_time();
}

SecondsByProcess seconds_of(const Record& record, const RowDefinition& row) {
  SecondsByProcess seconds = whole_seconds(record, row);
  if (!row.per_iteration) return seconds;
  const std::int64_t iterations = record.outcome ? record.outcome->iterations : 0;
  if (iterations < 1) return {};
  for (std::vector<double>& its : seconds) {
    for (double& value : its) value /= static_cast<double>(iterations);
  }
  return seconds;
}

Cell time_of(const Finding& finding, const RowDefinition& row) {
  const Phase phase = description_of(row.quantity).phase.value_or(Phase::solution);
  return finding.times->time_of(*finding.record, phase, row.stages,
                                seconds_of(*finding.record, row));
}

}  // namespace macrobench
