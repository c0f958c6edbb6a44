#include "paper_tables/cells/printed_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "harness/model/registry.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// A unit as so many of another: 60 s; 0.01 of 1.
struct Unit {
  std::string_view name;
  std::string_view of;
  double size;
};
constexpr Unit units[] = {{"h", "s", 3600},  {"min", "s", 60},  {"s", "s", 1},   {"ms", "s", 1e-3},
                          {"us", "s", 1e-6}, {"ns", "s", 1e-9}, {"1", "1", 1},   {"%", "1", 1e-2},
                          {"x", "1", 1},     {"×", "1", 1},     {"sec", "s", 1}, {"µs", "s", 1e-6}};

/// A printed number's digits, and by what they are multiplied in the unit of its row.
struct Printed {
  std::string digits;
  double factor;
};

std::optional<Printed> read_printed(std::string printed, std::string_view unit) {
  std::erase(printed, ',');
  const std::size_t end = printed.find_last_of("0123456789.") + 1;
  const std::string_view its = trim(std::string_view(printed).substr(end));
  const std::optional<double> factor = its.empty() ? 1 : factor_between(its, unit);
  if (!factor) return std::nullopt;
  std::string digits = printed.substr(0, end);
  // A power of ten is read with the digits, and rounds nothing.
  const double power = std::log10(*factor);
  const bool has_exponent = digits.find_first_of("eE") != digits.npos;
  if (power != std::round(power) || power == 0 || has_exponent) return Printed{digits, *factor};
  return Printed{fmt::format("{}e{}", digits, power), 1};
}

}  // namespace

std::optional<double> factor_between(std::string_view unit, std::string_view other) {
  if (unit == other) return 1;
  const auto called = [](std::string_view its) {
    const std::string_view name = its.starts_with("share of ") ? "1" : its;
    return std::ranges::find(units, name, &Unit::name);
  };
  const auto* one = called(unit);
  const auto* two = called(other);
  if (one == std::end(units) || two == std::end(units) || one->of != two->of) return std::nullopt;
  return one->size / two->size;
}

std::optional<double> printed_number(const std::string& printed, std::string_view unit) {
  const std::optional<Printed> its = read_printed(printed, unit);
  const std::optional<double> number = its ? finite_number(its->digits) : std::nullopt;
  return number ? std::optional(*number * its->factor) : std::nullopt;
}

std::optional<ConfidenceInterval> rounding_of(const std::string& printed, std::string_view unit) {
  const std::optional<double> value = printed_number(printed, unit);
  if (!value) return std::nullopt;
  const auto [digits, factor] = known_value(read_printed(printed, unit));
  const std::size_t exponent = std::min(digits.find_first_of("eE"), digits.size());
  const std::size_t point = digits.find('.');
  const std::size_t decimals = point < exponent ? exponent - point - 1 : 0;
  const double power =
      exponent < digits.size() ? known_value(finite_number(digits.substr(exponent + 1))) : 0;
  const double half = 0.5 * std::pow(10, power - static_cast<double>(decimals)) * factor;
  return ConfidenceInterval{*value - half, *value + half};
}

Cell printed_cell(const RowDefinition& row, std::size_t column, const Cell& here) {
  const std::string& text = row.published[column].value_or("");
  Cell cell{.value = printed_number(text, row.unit), .unit = row.unit};
  if (!cell.value) {
    cell.why = "not printed";
    return cell;
  }
  cell.kind = Kind::printed;
  cell.status = Status::measured;
  cell.interval = rounding_of(text, row.unit);
  cell.scope = here.scope;
  cell.stage = here.stage;
  cell.problem = here.problem;
  // The paper's program did as the default has it, whatever ours had when it ran.
  const Model* model = Registry::global().find_model(here.problem.model);
  if (model != nullptr) {
    for (const Axis& axis : model->axes) {
      if (!axis.lacking || cell.problem.parameters.find(axis.name) == nullptr) continue;
      const Value* asked = row.parameters.find(axis.name);
      cell.problem.parameters.set(axis.name, asked == nullptr ? axis.default_value : *asked);
    }
  }
  cell.is_relaxed = row.relaxed_in_print.contains(column);
  if (!row.language.empty()) {
    cell.marks.insert(
        {Sign::language, fmt::format("the published program is in {}, ours is not", row.language)});
  }
  if (row.published_by_extrapolation) {
    cell.marks.insert({Sign::extrapolated, "the published time is the paper's own extrapolation"});
  }
  return cell;
}

}  // namespace macrobench
