#include "paper_tables/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "harness/records/statistics.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/definitions/plan.hpp"

namespace macrobench {

namespace {

/// A law needs so many measured cells.
constexpr std::size_t least_cells = 3;

/// A law that was so far off on the last of its row's own cells is not shown for larger ones.
constexpr double largest_error = 0.25;

Phase phase_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::start:
      return Phase::start;
    case Quantity::first_solution:
      return Phase::first_solution;
    case Quantity::total:
      return Phase::total;
    default:
      return Phase::solution;
  }
}

/// Every solution's seconds in the stages together; none where a stage is not in all of them.
std::vector<double> seconds_of_stages(const Record& record,
                                      const std::vector<std::string>& stages) {
  std::vector<double> sum = seconds_of_stage(record, stages.front());
  for (std::size_t i = 1; i < stages.size(); ++i) {
    const std::vector<double> more = seconds_of_stage(record, stages[i]);
    if (more.size() != sum.size()) return {};
    std::ranges::transform(sum, more, sum.begin(), std::plus<>());
  }
  return sum;
}

/// Seconds of the row's phase, or of its stages in every solution.
std::vector<double> whole_seconds(const Record& record, const RowDefinition& row) {
  return row.quantity == Quantity::stage ? seconds_of_stages(record, row.stages)
                                         : seconds_of(record, phase_of(row.quantity));
}

/// A median of seconds, or one over the outcome's iterations.
Cell time_cell(const Record& record, const RowDefinition& row) {
  if (whole_seconds(record, row).empty()) {
    return {.status = Status::failed, .why = "the record holds no sample"};
  }
  const std::vector<double> seconds = seconds_of(record, row);
  if (seconds.empty()) return {.status = Status::failed, .why = "the record holds no iterations"};
  const bool is_sum = row.quantity == Quantity::total || row.stages.size() > 1;
  return {.value = median(seconds),
          .status = is_sum ? Status::computed : Status::measured,
          .samples = static_cast<int>(seconds.size()),
          .spread = relative_spread(seconds)};
}

Cell iterations_cell(const Record& record) {
  if (!record.outcome) return {.status = Status::failed, .why = "the record holds no outcome"};
  return {.value = static_cast<double>(record.outcome->iterations), .status = Status::measured};
}

Cell figure_cell(const Record& record, const std::string& name) {
  if (record.outcome) {
    const auto figure = record.outcome->figures.find(name);
    if (figure != record.outcome->figures.end()) {
      return {.value = figure->second, .status = Status::measured};
    }
  }
  return {.status = Status::failed, .why = fmt::format("the record holds no figure '{}'", name)};
}

Cell cell_of(const Finding& finding, const RowDefinition& row, const ColumnDefinition& column) {
  if (finding.record == nullptr) return {.status = Status::not_run, .why = finding.why_not};
  const Record& record = *finding.record;
  if (record.status != Status::measured) return {.status = record.status, .why = record.why};
  if (row.quantity == Quantity::figure) {
    return figure_cell(record, row.of.empty() ? column.figure : row.of);
  }
  if (row.quantity == Quantity::iterations) return iterations_cell(record);
  return time_cell(record, row);
}

/// What the model derives, or its own default: a drift from the paper would show.
Cell constant_cell(const Definition& definition, const RowDefinition& row, std::size_t column) {
  const Model& model = Registry::global().model(definition.model);
  if (!row.of.empty()) {
    const auto derived = std::ranges::find(model.derived, row.of, &DerivedNumber::name);
    const Parameters given = request_of(definition, row, definition.columns[column]).parameters;
    return {.value = derived->value(complete(model.axes, given, 1)),
            .status = Status::constant,
            .why = derived->summary};
  }
  const std::string& name = row.axes.empty() ? definition.columns[column].axis : row.axes[column];
  if (name.empty()) return {.status = Status::constant, .why = "as published: nothing is run"};
  const Axis& axis = find_axis(model.axes, name);
  const std::optional<double> value = printed_number(to_string(axis.default_value));
  return {.value = value, .status = Status::constant, .why = "the model's default"};
}

/// A cell whose operand has no value is as that operand is.
Cell ratio_cell(const Cell& numerator, const Cell& baseline, const std::string& numerator_label,
                const std::string& baseline_label) {
  if (!numerator.value) return {.status = numerator.status, .why = numerator.why};
  if (!baseline.value) return {.status = baseline.status, .why = baseline.why};
  const double ratio = *numerator.value / *baseline.value;
  if (!std::isfinite(ratio)) return {.status = Status::failed, .why = "the baseline took no time"};
  Cell cell{.value = ratio, .status = Status::computed};
  const bool above = numerator.status == Status::extrapolated;
  const bool below = baseline.status == Status::extrapolated;
  if (above || below) {
    cell.status = Status::extrapolated;
    cell.why = above && below
                   ? fmt::format("both parts are extrapolated")
                   : fmt::format("{} is extrapolated", above ? numerator_label : baseline_label);
  } else if (!numerator.why.empty()) {
    cell.why = {fmt::format("{}: {}", numerator_label, numerator.why.clause), numerator.why.detail};
  } else if (!baseline.why.empty()) {
    cell.why = {fmt::format("{}: {}", baseline_label, baseline.why.clause), baseline.why.detail};
  }
  return cell;
}

/// max |x - y| / |y| in percent, where x is a series of the one record and y that of the other.
Cell deviation_cell(const Finding& numerator, const Finding& baseline, const std::string& series) {
  std::array<const std::vector<double>*, 2> paths{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Finding& finding = i == 0 ? numerator : baseline;
    if (finding.record == nullptr) return {.status = Status::not_run, .why = finding.why_not};
    const Record& record = *finding.record;
    if (record.status != Status::measured) return {.status = record.status, .why = record.why};
    if (!record.outcome || !record.outcome->series.contains(series)) {
      return {.status = Status::failed,
              .why = fmt::format("the record holds no series '{}'", series)};
    }
    paths[i] = &record.outcome->series.at(series);
  }
  const auto& [x, y] = paths;
  if (x->size() != y->size()) {
    return {.status = Status::failed, .why = "the two series are not of one length"};
  }
  double largest = 0;
  for (std::size_t t = 0; t < x->size(); ++t) {
    const double deviation = std::abs((*x)[t] / (*y)[t] - 1);
    if (!std::isfinite(deviation)) {
      return {.status = Status::failed, .why = "the series hold what is not finite"};
    }
    largest = std::max(largest, deviation);
  }
  return {.value = 100 * largest, .status = Status::computed};
}

/// Not run, or given up: nothing is known to be wrong with it.
bool was_not_run_through(const Cell& cell) {
  return cell.status == Status::not_run || cell.status == Status::timeout;
}

/// A finding of the papers' own algorithms, where this build has the implementation.
bool is_known_invalid(const CellRequest& request) {
  const std::optional<Case> wanted = case_of(request, 1);
  return wanted && wanted->implementation->known_invalid &&
         !wanted->implementation->known_invalid(wanted->parameters).empty();
}

class TableMaker {
 public:
  TableMaker(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all), lookup_(lookup), machine_(machine) {}

  /// Made once, however many others need it. The reference stays valid.
  const TableRow& row_of(const Definition& table, const RowDefinition& row) {
    const auto known = made_.find(&row);
    return known != made_.end() ? known->second : made_[&row] = make_row(table, row);
  }

 private:
  TableRow make_row(const Definition& table, const RowDefinition& row) {
    TableRow made{.definition = &row,
                  .implementation = row.implementation,
                  .parameters = row.parameters,
                  .baseline = {},
                  .cells = {},
                  .law = {}};
    if (row.quantity == Quantity::constant) {
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        made.cells.push_back(row.left_out[i].empty()
                                 ? constant_cell(table, row, i)
                                 : Cell{.status = Status::not_run, .why = row.left_out[i]});
      }
    } else if (row.quantity == Quantity::machine) {
      for (const std::string& field : row.fields) {
        made.cells.push_back(machine_cell(machine_, field));
      }
    } else if (row.numerator && row.baseline) {
      fill_comparison(table, row, *row.numerator, *row.baseline, made);
    } else {
      made.cells = found_cells(table, row);
      if (is_time(row.quantity)) extrapolate(table, row, made);
      stand_in(table, row, made);
    }
    return made;
  }

  Finding find(const Definition& table, const RowDefinition& row, std::size_t column) {
    if (!row.left_out[column].empty()) return {nullptr, row.left_out[column]};
    return lookup_(request_of(table, row, table.columns[column]));
  }

  std::vector<Cell> found_cells(const Definition& table, const RowDefinition& row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      cells.push_back(cell_of(find(table, row, i), row, table.columns[i]));
    }
    return cells;
  }

  /// A ratio of two rows, or the deviation of their series.
  void fill_comparison(const Definition& table, const RowDefinition& row,
                       const RowReference& numerator, const RowReference& baseline,
                       TableRow& made) {
    const RowOfTable above = all_.find(table, numerator).value();
    const RowOfTable below = all_.find(table, baseline).value();
    made.implementation = above.row.implementation;
    made.parameters = above.row.parameters;
    made.baseline = baseline.called;
    const bool is_ratio = row.quantity == Quantity::ratio;
    for (const ColumnDefinition& column : table.columns) {
      const std::size_t i = column_like(above.table, column);
      const std::size_t j = column_like(below.table, column);
      made.cells.push_back(is_ratio ? ratio_cell(row_of(above.table, above.row).cells[i],
                                                 row_of(below.table, below.row).cells[j],
                                                 above.row.label, below.row.label)
                                    : deviation_cell(find(above.table, above.row, i),
                                                     find(below.table, below.row, j), row.of));
      if (!is_ratio && was_not_run_through(made.cells.back())) {
        stand_in_for_baseline(table, row, column, find(above.table, above.row, i),
                              made.cells.back());
      }
    }
  }

  void stand_in_for_baseline(const Definition& table, const RowDefinition& row,
                             const ColumnDefinition& column, const Finding& numerator, Cell& cell) {
    for (const Alternative& alternative : row.otherwise) {
      const RowOfTable other = all_.find(table, alternative.of.front()).value();
      const Finding baseline = find(other.table, other.row, column_like(other.table, column));
      const Cell found = deviation_cell(numerator, baseline, row.of);
      if (!found.value) continue;
      cell = found;
      cell.why = "to " + alternative.called;
      return;
    }
  }

  /// Where the table has a column like the one given.
  static std::size_t column_like(const Definition& table, const ColumnDefinition& column) {
    std::size_t i = 0;
    while (!table.columns.at(i).is_like(column)) ++i;
    return i;
  }

  /// What a law of growth goes by; none where columns differ in more than that.
  static std::optional<double> size_of(const Definition& table, const RowDefinition& row,
                                       const ColumnDefinition& column) {
    const Model& model = Registry::global().model(table.model);
    const bool has_size = column.parameters.find(model.size_axis) != nullptr;
    const bool has_more = std::ranges::any_of(
        column.parameters, [&](const auto& entry) { return !model.grows_along(entry.first); });
    if (!has_size || has_more) return {};
    return model.work_of(row.implementation, request_of(table, row, column).parameters);
  }

  static void add_points(const Definition& table, const RowDefinition& row,
                         const std::vector<Cell>& cells, std::vector<Point>& points, bool& wrong) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::optional<double> size = size_of(table, row, table.columns[i]);
      const Cell& cell = cells[i];
      if (cell.value && size) points.push_back({*size, *cell.value});
      wrong = wrong || cell.status == Status::invalid || cell.status == Status::failed;
    }
  }

  /// What was not run though smaller cells of its row were. A row that comes out wrong at any size
  /// is not extrapolated: there is no telling how long a right answer would take.
  void extrapolate(const Definition& table, const RowDefinition& row, TableRow& made) {
    std::vector<Point> points;
    bool wrong = false;
    add_points(table, row, made.cells, points, wrong);
    if (row.continues) {
      const RowOfTable before = all_.find(table, *row.continues).value();
      add_points(before.table, before.row, found_cells(before.table, before.row), points, wrong);
    }
    if (wrong || points.size() < least_cells) return;
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.size < b.size; });
    points.erase(std::unique(points.begin(), points.end(),
                             [](const Point& a, const Point& b) { return a.size == b.size; }),
                 points.end());
    if (points.size() < least_cells) return;
    const std::optional<GrowthLaw> law =
        fit_growth_law(points, Registry::global().model(table.model).sizes());
    if (!law || law->error > largest_error) return;
    const FittedLaw fitted{*law, static_cast<int>(points.size())};
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      const std::optional<double> size = size_of(table, row, table.columns[i]);
      if (cell.status != Status::not_run || !size || *size <= points.back().size) continue;
      if (!row.left_out[i].empty()) continue;
      if (is_known_invalid(request_of(table, row, table.columns[i]))) continue;
      cell.value = law->at(*size);
      cell.status = Status::extrapolated;
      // The scheduler's prediction was made from what it knew then: the law's stands here.
      cell.why = fmt::format("{}; {} from {} measured cells, error {:.2g}%", cell.why.clause,
                             law->name, fitted.cells, 100 * law->error);
      made.law = fitted;
    }
  }

  /// What the alternative comes to in the column; the part that has no number where one has none.
  Cell alternative_cell(const Definition& table, const Alternative& alternative,
                        const ColumnDefinition& column) {
    const auto part = [&](const RowReference& reference) -> const Cell& {
      const RowOfTable its = all_.find(table, reference).value();
      return row_of(its.table, its.row).cells[column_like(its.table, column)];
    };
    Cell cell{.value = 0, .status = Status::computed, .why = alternative.called};
    bool extrapolated = false;
    for (const RowReference& reference : alternative.of) {
      const Cell& addend = part(reference);
      if (!addend.value) return addend;
      *cell.value += *addend.value;
      extrapolated = extrapolated || addend.status == Status::extrapolated;
      const bool is_it = alternative.of.size() == 1 && !alternative.iterations;
      if (is_it) cell.why.detail = to_string(addend.why);
    }
    if (alternative.iterations) {
      const Cell& factor = part(*alternative.iterations);
      if (!factor.value) return factor;
      *cell.value *= *factor.value;
      extrapolated = extrapolated || factor.status == Status::extrapolated;
    }
    if (extrapolated) {
      cell.status = Status::extrapolated;
      cell.why.clause += ", a part of it extrapolated";
    }
    return cell;
  }

  /// Where the row's own case was not run to its end: the first alternative of measured parts, or
  /// else the row's own extrapolation, or else the first alternative that has a number. What came
  /// out wrong stays so.
  void stand_in(const Definition& table, const RowDefinition& row, TableRow& made) {
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
      Cell& cell = made.cells[i];
      if (!was_not_run_through(cell) && cell.status != Status::extrapolated) continue;
      if (!row.left_out[i].empty()) continue;
      if (is_known_invalid(request_of(table, row, table.columns[i]))) continue;
      for (const Alternative& alternative : row.otherwise) {
        const Cell other = alternative_cell(table, alternative, table.columns[i]);
        if (other.value && (other.status == Status::computed || !cell.value)) cell = other;
        if (cell.status == Status::computed) break;
      }
    }
    if (std::ranges::count(made.cells, Status::extrapolated, &Cell::status) == 0) made.law.reset();
  }

  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  std::map<const RowDefinition*, TableRow> made_;
};

TableRow rounded_row(TableRow row) {
  for (Cell& cell : row.cells) {
    if (cell.value) cell.value = to_nine_digits(*cell.value);
    if (cell.spread) cell.spread = to_nine_digits(*cell.spread);
  }
  return row;
}

}  // namespace

Table make_table(const Definition& definition, Definitions& all, const Lookup& lookup,
                 const std::string& folder, const Machine& machine) {
  Table table{&definition, folder, describe(machine), {}};
  TableMaker maker(all, lookup, machine);
  for (const GroupDefinition& group : definition.groups) {
    TableGroup& made = table.groups.emplace_back(group.label, std::vector<TableRow>{});
    for (const RowDefinition& row : group.rows) {
      made.rows.push_back(rounded_row(maker.row_of(definition, row)));
    }
  }
  return table;
}

TableRow make_row(const Definition& definition, const RowDefinition& row, Definitions& all,
                  const Lookup& lookup, const Machine& machine) {
  return rounded_row(TableMaker(all, lookup, machine).row_of(definition, row));
}

std::vector<double> seconds_of(const Record& record, const RowDefinition& row) {
  std::vector<double> seconds = whole_seconds(record, row);
  if (!row.per_iteration) return seconds;
  const std::int64_t iterations = record.outcome ? record.outcome->iterations : 0;
  if (iterations < 1) return {};
  for (double& value : seconds) value /= static_cast<double>(iterations);
  return seconds;
}

}  // namespace macrobench
