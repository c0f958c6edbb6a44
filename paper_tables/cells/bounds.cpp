#include "paper_tables/cells/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "harness/text/strings.hpp"

namespace macrobench {

Bounds operator+(Bounds a, Bounds b) {
  return {a.low + b.low, a.high + b.high};
}

Bounds operator-(Bounds a, Bounds b) {
  return {a.low - b.high, a.high - b.low};
}

Bounds operator*(Bounds a, Bounds b) {
  const auto [low, high] =
      std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

Bounds operator/(Bounds a, Bounds b) {
  if (b.low <= 0 && b.high >= 0) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  return a * Bounds{1 / b.high, 1 / b.low};
}

Bounds power(Bounds base, double exponent) {
  const double a = std::pow(base.low, exponent);
  const double b = std::pow(base.high, exponent);
  return {std::min(a, b), std::max(a, b)};
}

Bounds root(Bounds a) {
  return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0))};
}

bool are_apart(Bounds a, Bounds b) {
  const double slack = 1e-12 * std::max(std::abs(a.middle()), std::abs(b.middle()));
  return a.low > b.high + slack || b.low > a.high + slack;
}

std::optional<double> printed_number(const std::string& printed) {
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
  return finite_number(digits);
}

std::optional<Bounds> printed_bounds(const std::string& printed, std::optional<double> unit) {
  std::string text = printed;
  if (const std::size_t mark = text.find("†"); mark != std::string::npos) text.resize(mark);
  const std::optional<double> value = printed_number(text);
  if (!value) return std::nullopt;
  if (!unit) {
    // The same text with 1 as its last digit and zeros before it is one unit of that digit.
    const std::size_t last = text.find_last_of("0123456789");
    for (std::size_t i = 0; i < last; ++i) {
      if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) text[i] = '0';
    }
    text[last] = '1';
    unit = std::abs(printed_number(text).value_or(0));
  }
  return Bounds{*value - *unit / 2, *value + *unit / 2};
}

std::string to_string(Bounds bounds) {
  const double width = bounds.high - bounds.low;
  const double size = std::max(std::abs(bounds.low), std::abs(bounds.high));
  if (!std::isfinite(size)) return "anything";
  if (width <= 1e-9 * size) return fmt::format("{:.9g}", bounds.middle());
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(width)));
  const double unit = std::pow(10.0, -decimals);
  const int shown = std::max(decimals, 0);
  return fmt::format("{:.{}f} to {:.{}f}", std::floor(bounds.low / unit) * unit, shown,
                     std::ceil(bounds.high / unit) * unit, shown);
}

}  // namespace macrobench
