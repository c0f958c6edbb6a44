#include "paper_tables/claims/claims_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/format.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/find.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/definitions/plan.hpp"
#include "paper_tables/definitions/prices.hpp"
#include "paper_tables/tables/layout.hpp"

namespace macrobench {

namespace {

/// A constant is what the model derives from parameters alone: the same on every machine.
bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed ||
                        cell.status == Status::constant);
}

/// "extrapolated", "invalid: not converged", "no record on this machine".
std::string why_no_evidence(const Cell& cell) {
  if (cell.status == Status::not_run) return cell.why.empty() ? "not run" : to_string(cell.why);
  if (cell.status == Status::extrapolated || cell.why.empty()) return to_string(cell.status);
  return fmt::format("{}: {}", to_string(cell.status), cell.why.clause);
}

std::string stand_in(const Cell& cell) {
  return cell.status == Status::computed ? to_string(cell.why) : std::string();
}

/// One number of a quantity, or why there is none.
struct SeriesPoint {
  std::string column;
  double size = 0;
  bool is_known = false;
  double value = 0;
  std::string text;  ///< the value for a reader
  std::string note;  ///< what replaces the cell's own case, if anything
  std::string why_not;
};

struct Series {
  std::string called;
  std::vector<SeriesPoint> points;  ///< one per column of the test
};

double size_of(const ClaimRow& row, const ColumnDefinition& column, const std::string& over) {
  if (over.empty()) return 0;
  if (over == "work") {
    return Registry::global()
        .model(row.table->model)
        .work_of(row.row.implementation, request_of(*row.table, row.row, column).parameters);
  }
  const Value* value = column.parameters.find(over);
  return value == nullptr ? 0 : printed_number(to_string(*value)).value_or(0);
}

/// With enough digits to show whether it is in the range.
std::string number_text(double value, const ClaimTest& test) {
  const Range& range = test.range;
  const double least = range.at_least.value_or(-HUGE_VAL);
  const double most = range.at_most.value_or(HUGE_VAL);
  const bool is_narrow = test.kind == TestKind::within && std::isfinite(most) &&
                         std::abs(most - least) < 0.01 * std::abs(most);
  return is_narrow ? fmt::format("{:.9g}", value) : format_number(value);
}

Series series_of(const ClaimTest& test, const ClaimQuantity& quantity, const CellsOf& cells) {
  Series series{quantity.called, {}};
  const std::vector<Cell> above = cells(quantity.row);
  const std::vector<Cell> below =
      quantity.baseline ? cells(*quantity.baseline) : std::vector<Cell>{};
  for (const std::string& label : test.columns) {
    const std::size_t i = find_column(*quantity.row.table, label).value();
    SeriesPoint point{.column = label,
                      .size = size_of(quantity.row, quantity.row.table->columns[i], test.over),
                      .text = {},
                      .note = {},
                      .why_not = {}};
    const Cell& cell = above[i];
    const Cell* other =
        quantity.baseline ? &below[find_column(*quantity.baseline->table, label).value()] : nullptr;
    if (!is_evidence(cell) || (other != nullptr && !is_evidence(*other))) {
      const bool is_above = !is_evidence(cell);
      const ClaimRow& lacking = is_above || !quantity.baseline ? quantity.row : *quantity.baseline;
      point.why_not = fmt::format("{} at {}: {}", lacking.called, label,
                                  why_no_evidence(is_above ? cell : *other));
    } else {
      const double below_it = other == nullptr ? 1 : other->value.value_or(0);
      const double value = cell.value.value_or(0) / below_it;
      if (std::isfinite(value)) {
        point.is_known = true;
        point.value = value;
        point.text = number_text(value, test);
        point.note = stand_in(cell);
        if (other != nullptr && point.note.empty()) point.note = stand_in(*other);
      } else {
        point.why_not = fmt::format("{} at {}: not a finite number", quantity.called, label);
      }
    }
    series.points.push_back(std::move(point));
  }
  return series;
}

/// The points that are evidence.
std::vector<SeriesPoint> evidence(const Series& series) {
  std::vector<SeriesPoint> points;
  std::ranges::copy_if(series.points, std::back_inserter(points),
                       [](const SeriesPoint& point) { return point.is_known; });
  return points;
}

/// Why there is too little evidence: the first reason, and in how many cells.
std::string why_not(const Series& series) {
  std::string first;
  std::size_t missing = 0;
  for (const SeriesPoint& point : series.points) {
    if (point.is_known) continue;
    if (first.empty()) first = point.why_not;
    ++missing;
  }
  return missing > 1 ? fmt::format("{}, and {} more cells", first, missing - 1) : first;
}

std::string shown(const SeriesPoint& point) {
  return fmt::format("{} at {}{}", point.text, point.column,
                     point.note.empty() ? "" : fmt::format(" ({})", point.note));
}

const SeriesPoint& smallest(const std::vector<SeriesPoint>& points) {
  return *std::ranges::min_element(points, {},
                                   [](const SeriesPoint& point) { return point.value; });
}
const SeriesPoint& largest(const std::vector<SeriesPoint>& points) {
  return *std::ranges::max_element(points, {},
                                   [](const SeriesPoint& point) { return point.value; });
}

/// "198 at 65,536"; of several points the smallest and the largest.
std::string span_of(const std::vector<SeriesPoint>& points) {
  if (points.size() == 1) return shown(points.front());
  if (points.size() == 2) return fmt::format("{}, {}", shown(points[0]), shown(points[1]));
  return fmt::format("{} to {}, in {} columns", shown(smallest(points)), shown(largest(points)),
                     points.size());
}

/// The result of a test of one series; none if it cannot be decided.
struct TestResult {
  std::optional<bool> holds;
  std::string found;
};

TestResult within(const ClaimTest& test, const Series&, const std::vector<SeriesPoint>& points) {
  const bool all = std::ranges::all_of(
      points, [&](const SeriesPoint& point) { return test.range.holds(point.value); });
  return {all, span_of(points)};
}

/// Whether more than half of all columns, unknown ones included, are in the range.
TestResult usually(const ClaimTest& test, const Series& series,
                   const std::vector<SeriesPoint>& points) {
  const std::size_t columns = series.points.size();
  const auto inside = static_cast<std::size_t>(std::ranges::count_if(
      points, [&](const SeriesPoint& point) { return test.range.holds(point.value); }));
  if (2 * inside > columns) return {true, span_of(points)};
  if (2 * (points.size() - inside) >= columns) return {false, span_of(points)};
  return {std::nullopt, why_not(series)};
}

/// Whether some column is in the range. To say that none is, all must be known.
TestResult reaches(const ClaimTest& test, const Series& series,
                   const std::vector<SeriesPoint>& points) {
  const SeriesPoint& best = test.range.at_least ? largest(points) : smallest(points);
  for (const SeriesPoint& point : points) {
    if (test.range.holds(point.value)) {
      return {true, point.column == best.column
                        ? shown(best)
                        : fmt::format("{}, and {}", shown(point), shown(best))};
    }
  }
  if (points.size() < series.points.size()) return {std::nullopt, why_not(series)};
  return {false, fmt::format("no {} than {}", test.range.at_least ? "more" : "less", shown(best))};
}

/// The first step from one point to the next that turns by more than the slack, or else whether the
/// first and the last are far enough apart.
TestResult monotone(const ClaimTest& test,
                    const std::vector<std::pair<std::string, double>>& steps) {
  const bool up = test.kind == TestKind::rising;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const double before = steps[i - 1].second;
    const double after = steps[i].second;
    const double allowed = test.slack * std::abs(before);
    if (up ? after < before - allowed : after > before + allowed) {
      return {false, fmt::format("{}, then {}", steps[i - 1].first, steps[i].first)};
    }
  }
  const double first = steps.front().second;
  const double last = steps.back().second;
  return {up ? last >= test.times * first : first >= test.times * last,
          fmt::format("from {} to {}", steps.front().first, steps.back().first)};
}

TestResult along_columns(const ClaimTest& test, const Series&,
                         const std::vector<SeriesPoint>& points) {
  std::vector<std::pair<std::string, double>> steps;
  steps.reserve(points.size());
  for (const SeriesPoint& point : points) steps.emplace_back(shown(point), point.value);
  return monotone(test, steps);
}

/// The first column from which all known columns are in the range.
TestResult crosses(const ClaimTest& test, const Series& series, const std::vector<SeriesPoint>&) {
  std::optional<std::size_t> first;
  for (std::size_t i = series.points.size(); i-- > 0;) {
    const SeriesPoint& point = series.points[i];
    if (!point.is_known) continue;
    if (!test.range.holds(point.value)) break;
    first = i;
  }
  const auto is_allowed = [&](const SeriesPoint& point) {
    return std::ranges::find(test.first, point.column) != test.first.end();
  };
  if (!first) {
    // Unknown columns may still be in the range, and early enough.
    for (const SeriesPoint& point : series.points) {
      if (is_allowed(point) && !point.is_known) return {std::nullopt, why_not(series)};
    }
    return {false, fmt::format("in no column: {}", span_of(evidence(series)))};
  }
  const SeriesPoint& point = series.points[*first];
  if (*first == 0) return {is_allowed(point), fmt::format("from the first on: {}", shown(point))};
  const SeriesPoint& before = series.points[*first - 1];
  if (!before.is_known) return {std::nullopt, why_not(series)};
  return {is_allowed(point),
          fmt::format("from {} on: {}, {}", point.column, shown(before), shown(point))};
}

/// The exponent b of size^b, by least squares in logarithms.
TestResult growth(const ClaimTest& test, const Series&, const std::vector<SeriesPoint>& points) {
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const SeriesPoint& point : points) {
    if (!(point.size > 0 && point.value > 0)) {
      return {std::nullopt, fmt::format("{}: growth cannot go through zero", shown(point))};
    }
    x_mean += std::log(point.size) / n;
    y_mean += std::log(point.value) / n;
  }
  for (const SeriesPoint& point : points) {
    const double x = std::log(point.size) - x_mean;
    xx += x * x;
    xy += x * (std::log(point.value) - y_mean);
  }
  if (!(xx > 0)) return {std::nullopt, "the columns all have the same size"};
  const double exponent = xy / xx;
  return {test.range.holds(exponent), fmt::format("exponent {}: {}, {}", format_number(exponent),
                                                  shown(points.front()), shown(points.back()))};
}

TestResult spread(const ClaimTest& test, const Series&, const std::vector<SeriesPoint>& points) {
  if (!(smallest(points).value > 0)) {
    return {std::nullopt, fmt::format("{}: no times that of it", shown(smallest(points)))};
  }
  const double ratio = largest(points).value / smallest(points).value;
  return {test.range.holds(ratio), fmt::format("{} times: {}, {}", format_number(ratio),
                                               shown(smallest(points)), shown(largest(points)))};
}

/// Compares the quantities with each other in each column where all of them are known.
TestResult down_the_list(const ClaimTest& test, const std::vector<Series>& all) {
  TestResult result;
  std::size_t known = 0;
  for (std::size_t i = 0; i < test.columns.size(); ++i) {
    std::vector<std::pair<std::string, double>> steps;
    for (const Series& series : all) {
      if (!series.points[i].is_known) break;
      const double value = series.points[i].value;
      steps.emplace_back(fmt::format("{} {}", series.called, format_number(value)), value);
    }
    if (steps.size() < all.size()) continue;
    ++known;
    if (result.holds && !*result.holds) continue;
    result = monotone(test, steps);
    result.found = fmt::format("at {}: {}", test.columns[i], result.found);
  }
  if (known >= test.need) return result;
  const auto lacking = std::ranges::find_if(
      all, [&](const Series& series) { return evidence(series).size() < test.columns.size(); });
  return {std::nullopt, why_not(*lacking)};
}

TestResult put_to_the_test(const ClaimTest& test, const Series& series) {
  const std::vector<SeriesPoint> points = evidence(series);
  if (points.empty() || (!takes_what_is_known(test.kind) && points.size() < test.need)) {
    return {std::nullopt, why_not(series)};
  }
  switch (test.kind) {
    case TestKind::within:
      return within(test, series, points);
    case TestKind::usually:
      return usually(test, series, points);
    case TestKind::reaches:
      return reaches(test, series, points);
    case TestKind::rising:
    case TestKind::falling:
      return along_columns(test, series, points);
    case TestKind::crosses:
      return crosses(test, series, points);
    case TestKind::growth:
      return growth(test, series, points);
    case TestKind::spread:
      return spread(test, series, points);
    case TestKind::untestable:
      break;
  }
  return {};
}

/// "12,499.2", "84†".
std::optional<double> number_in_print(const RowDefinition& row, std::size_t column) {
  std::string printed = row.published[column].value_or("");
  if (const std::size_t mark = printed.find("†"); mark != std::string::npos) printed.erase(mark);
  return printed_number(printed);
}

std::optional<double> number_in_print(const RowPlace& its, const ColumnDefinition& column) {
  const std::optional<std::size_t> there = find_like(*its.table, column);
  return there ? number_in_print(*its.row, *there) : std::nullopt;
}

/// Multiplies times by dollars; without a known price they are no evidence.
std::vector<Cell> priced(std::vector<Cell> cells, PriceOf price, const Prices& prices) {
  if (price == PriceOf::nothing) return cells;
  const std::optional<double> usd = price == PriceOf::gpu ? prices.gpu_usd : prices.cpu_usd;
  for (Cell& cell : cells) {
    if (!cell.value) continue;
    if (usd) {
      *cell.value *= *usd;
    } else {
      cell = {.status = Status::not_run,
              .why = fmt::format("the price of the {} is not known",
                                 price == PriceOf::gpu ? "GPU" : "CPU")};
    }
  }
  return cells;
}

}  // namespace

std::string to_string(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::reproduced:
      return "reproduced";
    case ClaimVerdict::contradicted:
      return "contradicted";
    case ClaimVerdict::depends_on_the_baseline:
      return "depends on the baseline";
    case ClaimVerdict::not_testable:
      break;
  }
  return "not testable here";
}

CellsOf measured_cells(Definitions& all, const Lookup& lookup, const Machine& machine) {
  return [&all, &lookup, &machine,
          prices = prices_of(all.folder(), "name", gpu_name(machine))](const ClaimRow& row) {
    return priced(make_row(*row.table, row.row, all, lookup, machine).cells, row.price, prices);
  };
}

CellsOf printed_cells(Definitions& all) {
  return [&all](const ClaimRow& row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < row.table->columns.size(); ++i) {
      std::optional<double> value = number_in_print(row.row, i);
      if (!value && row.row.quantity == Quantity::ratio && row.row.numerator && row.row.baseline) {
        const ColumnDefinition& column = row.table->columns[i];
        const View from{.table = row.table};
        const auto above = number_in_print(*find_row(*row.row.numerator, from, all), column);
        const auto below = number_in_print(*find_row(*row.row.baseline, from, all), column);
        if (above && below && *below != 0) value = *above / *below;
      }
      cells.push_back(value ? Cell{.value = value, .status = Status::measured}
                            : Cell{.status = Status::not_run, .why = "not printed"});
    }
    return priced(std::move(cells), row.price,
                  prices_of(all.folder(), "published", row.table->hardware));
  };
}

Answer answer(const ClaimTest& test, const Reading& reading, const CellsOf& cells) {
  std::vector<Series> all;
  for (const ClaimQuantity& quantity : reading.of) all.push_back(series_of(test, quantity, cells));
  const TestResult outcome =
      all.size() > 1 ? down_the_list(test, all) : put_to_the_test(test, all.front());
  Answer made{reading.called, outcome.holds, outcome.found, {}};
  for (const Series& series : all) {
    for (const SeriesPoint& point : evidence(series)) {
      made.figures.push_back({series.called, point.column, point.value});
    }
  }
  return made;
}

JudgedClaim judge(const Claim& claim, const CellsOf& measured, const CellsOf& printed, int cores) {
  JudgedClaim judged{.claim = &claim,
                     .verdict = ClaimVerdict::not_testable,
                     .why_not = {},
                     .answers = {},
                     .printed = {}};
  if (claim.readings.empty()) {
    judged.why_not = claim.reason;
    return judged;
  }
  const bool other_cores = claim.cores && *claim.cores != cores;
  for (const Reading& reading : claim.readings) {
    judged.answers.push_back(
        other_cores ? Answer{reading.called, {}, fmt::format("{} cores here", cores), {}}
                    : answer(claim.test, reading, measured));
  }
  Answer in_print = answer(claim.test, claim.readings.front(), printed);
  if (in_print.holds) {
    in_print.called = "in print";
    judged.printed = std::move(in_print);
  }
  const std::optional<bool> published = judged.answers.front().holds;
  if (!published) {
    judged.why_not = judged.answers.front().found;
    return judged;
  }
  const bool differs = std::ranges::any_of(judged.answers, [&](const Answer& other) {
    return other.holds && *other.holds != *published;
  });
  judged.verdict = differs      ? ClaimVerdict::depends_on_the_baseline
                   : *published ? ClaimVerdict::reproduced
                                : ClaimVerdict::contradicted;
  return judged;
}

}  // namespace macrobench
