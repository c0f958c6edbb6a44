#include "paper_tables/cells/printed_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// As a number that finite_number() reads, in seconds.
std::string without_unit(const std::string& printed) {
  std::string digits = printed;
  std::erase(digits, ',');
  for (const auto& [unit, exponent] :
       std::initializer_list<std::pair<std::string_view, const char*>>{
           {"ms", "e-3"}, {"us", "e-6"}, {"ns", "e-9"}, {"s", ""}}) {
    if (!digits.ends_with(unit)) continue;
    digits.resize(digits.size() - unit.size());
    if (digits.ends_with(' ')) digits.pop_back();
    digits += exponent;
    break;
  }
  return digits;
}

}  // namespace

std::optional<double> printed_number(const std::string& printed) {
  return finite_number(without_unit(printed));
}

std::optional<ConfidenceInterval> rounding_of(const std::string& printed) {
  const std::string digits = without_unit(printed);
  const std::optional<double> value = finite_number(digits);
  if (!value) return std::nullopt;
  const std::size_t exponent = std::min(digits.find_first_of("eE"), digits.size());
  const std::size_t point = digits.find('.');
  const std::size_t decimals = point < exponent ? exponent - point - 1 : 0;
  const double power =
      exponent < digits.size() ? known_value(finite_number(digits.substr(exponent + 1))) : 0;
  const double half = 0.5 * std::pow(10, power - static_cast<double>(decimals));
  return ConfidenceInterval{*value - half, *value + half};
}

Cell printed_cell(const RowDefinition& row, std::size_t column, const Cell& here) {
  const std::string& text = row.published[column].value_or("");
  Cell cell{.value = printed_number(text), .unit = row.unit};
  if (!cell.value) {
    cell.why = "not printed";
    return cell;
  }
  cell.kind = Kind::printed;
  cell.status = Status::measured;
  cell.interval = rounding_of(text);
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
    cell.marks.insert({Sign::language, fmt::format("the published program is in {}, ours is not",
                                                   row.language)});
  }
  if (row.published_by_extrapolation) {
    cell.marks.insert(
        {Sign::extrapolated, "the published time is the paper's own extrapolation"});
  }
  return cell;
}

}  // namespace macrobench
