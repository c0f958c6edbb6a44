#include "paper_tables/cells/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "paper_tables/cells/find.hpp"

namespace macrobench {

namespace {

constexpr std::array<std::pair<std::string_view, Formula::Kind>, 5> operations{
    {{"plus", Formula::Kind::plus},
     {"minus", Formula::Kind::minus},
     {"times", Formula::Kind::times},
     {"over", Formula::Kind::over},
     {"power", Formula::Kind::power}}};

Formula read_operation(const Place& place, const std::string& name, Formula::Kind kind) {
  place.allow({name});
  Formula formula{.kind = kind};
  const Place operands = place.at(name);
  formula.operands = operands.list_of(read_formula);
  const bool takes_two = kind != Formula::Kind::plus && kind != Formula::Kind::times;
  if (formula.operands.size() < 2 || (takes_two && formula.operands.size() > 2)) {
    operands.fail(takes_two ? "it takes two numbers" : "it takes two numbers or more");
  }
  if (kind == Formula::Kind::power && formula.operands[1].kind != Formula::Kind::number) {
    operands.items()[1].fail("an exponent must be a number");
  }
  return formula;
}

Formula read_printed(const Place& place) {
  place.allow({"printed"});
  const std::optional<Bounds> number = printed_bounds(place.at("printed").text());
  if (!number) place.at("printed").fail("it must be a number as printed");
  return {.number = *number};
}

Formula read_fit(const Place& place, const std::string& name, Formula::Kind kind) {
  place.allow({name, "at"});
  Formula formula;
  formula.kind = kind;
  formula.row = read_reference(place.at(name));
  if (place.has("at")) formula.at = place.at("at").number();
  return formula;
}

Formula read_cell(const Place& place) {
  Formula formula;
  formula.kind = Formula::Kind::cell;
  formula.row = read_reference(place, {"column"});
  if (place.is_text()) return formula;
  formula.column = place.text_or_empty("column");
  if (formula.column == "previous") {
    formula.column.clear();
    formula.previous = true;
  }
  return formula;
}

/// The least-squares line through the points' square roots, at the size: a weighted sum of them.
Bounds line_at(const std::vector<PrintedPoint>& points, double size) {
  const auto n = static_cast<double>(points.size());
  double mean = 0;
  for (const PrintedPoint& point : points) mean += point.size / n;
  double squares = 0;
  for (const PrintedPoint& point : points) squares += std::pow(point.size - mean, 2);
  Bounds sum;
  for (const PrintedPoint& point : points) {
    const double weight = 1 / n + (size - mean) * (point.size - mean) / squares;
    sum = sum + Bounds::exactly(weight) * root(point.value);
  }
  return sum;
}

}  // namespace

Formula read_formula(const Place& place) {
  if (place.is_number()) return {.number = Bounds::exactly(place.number())};
  if (place.is_text() || place.has("row")) return read_cell(place);
  for (const auto& [name, kind] : operations) {
    if (place.has(std::string(name))) return read_operation(place, std::string(name), kind);
  }
  if (place.has("printed")) return read_printed(place);
  if (place.has("root_fit")) return read_fit(place, "root_fit", Formula::Kind::root_fit);
  if (place.has("adjusted_r2")) return read_fit(place, "adjusted_r2", Formula::Kind::adjusted_r2);
  place.fail(
      "it must be a row's label, a number, or an object with row, printed, plus, minus, times, "
      "over, power, root_fit or adjusted_r2");
}

void for_each_operand(const Formula& formula, const std::function<void(const Formula&)>& visit) {
  if (!formula.row.row.empty()) visit(formula);
  for (const Formula& operand : formula.operands) for_each_operand(operand, visit);
}

Bounds root_fit_at(const std::vector<PrintedPoint>& points, double size) {
  return power(line_at(points, size), 2);
}

Bounds adjusted_r2_of_roots(const std::vector<PrintedPoint>& points) {
  const auto n = static_cast<double>(points.size());
  double mean = 0;
  for (const PrintedPoint& point : points) mean += root(point.value).middle() / n;
  std::vector<PrintedPoint> exact = points;
  for (PrintedPoint& point : exact) {
    point.value = power(Bounds::exactly(root(point.value).middle()), 2);
  }
  double residual = 0;
  double total = 0;
  double moved = 0;
  for (const PrintedPoint& point : points) {
    const Bounds y = root(point.value);
    residual += std::pow(y.middle() - line_at(exact, point.size).middle(), 2);
    total += std::pow(y.middle() - mean, 2);
    moved += std::pow((y.high - y.low) / 2, 2);
  }
  residual = std::sqrt(residual);
  total = std::sqrt(total);
  moved = std::sqrt(moved);
  const Bounds share = Bounds{std::max(residual - moved, 0.0), residual + moved} /
                       Bounds{total - moved, total + moved};
  const double adjustment = (n - 1) / (n - 2);
  return Bounds::exactly(1) - Bounds::exactly(adjustment) * power(share, 2);
}

}  // namespace macrobench
