#include "harness/numbers/cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

std::string symbol_of(Sign sign) {
  constexpr std::array<const char*, 5> symbols{"≈", "°", "≠", "‡", "!"};
  return symbols.at(static_cast<std::size_t>(sign));
}

std::string to_string(Kind kind) {
  constexpr std::array<const char*, 6> names{"constant", "measured",     "printed",
                                             "computed", "extrapolated", "none"};
  return names.at(static_cast<std::size_t>(kind));
}

Kind kind_from(Kind one, Kind other) {
  return std::max({one, other, Kind::computed});
}

std::string word_of(const Cell& cell) {
  const bool has_status = cell.kind == Kind::none && cell.status != Status::measured;
  return has_status || is_doubted(cell.status) ? to_string(cell.status) : to_string(cell.kind);
}

ConfidenceInterval interval_of(const Cell& cell) {
  const double value = cell.value.value_or(std::numeric_limits<double>::quiet_NaN());
  return cell.interval.value_or(ConfidenceInterval{value, value});
}

void rest_on(Cell& cell, const Cell& other) {
  cell.kind = kind_from(cell.kind, other.kind);
  cell.from.insert(other.from.begin(), other.from.end());
  cell.marks.insert(other.marks.begin(), other.marks.end());
}

namespace {

/// By an operation that grows with both numbers.
template <class Operation>
Cell combined(const Cell& one, const Cell& other, Operation operation) {
  Cell cell = one;
  cell.value = operation(known_value(one.value), known_value(other.value));
  if (one.interval || other.interval) {
    const auto [low, high] = interval_of(one);
    const auto [least, most] = interval_of(other);
    cell.interval = ConfidenceInterval{operation(low, least), operation(high, most)};
  }
  // A variance belongs to a number that was sampled.
  cell.variance = cell.shared = cell.degrees = 0;
  cell.is_relaxed = one.is_relaxed || other.is_relaxed;
  cell.error = std::max(one.error, other.error);
  rest_on(cell, other);
  return cell;
}

/// The value's known digits.
int digits_of(const Cell& cell) {
  constexpr double coarse = 0.1;
  if (!cell.interval) return 3;
  const double width = cell.interval->high - cell.interval->low;
  return width > coarse * std::abs(known_value(cell.value)) ? 2 : 3;
}

}  // namespace

std::string text_of(const Cell& cell) {
  return format_number(known_value(cell.value), digits_of(cell));
}

std::string duration_of(const Cell& cell) {
  return format_duration(known_value(cell.value), digits_of(cell));
}

std::string error_text(double least, double most) {
  const std::string low = format_number(100 * least, 2);
  const std::string high = format_number(100 * most, 2);
  return (low == high ? "" : low + "–") + high;
}

Cell sum(const Cell& one, const Cell& other) {
  return combined(one, other, std::plus<>());
}

Cell product(const Cell& one, const Cell& other) {
  return combined(one, other, std::multiplies<>());
}

Cell constant(double value, std::string unit) {
  return {
      .value = value, .kind = Kind::constant, .status = Status::measured, .unit = std::move(unit)};
}

}  // namespace macrobench
