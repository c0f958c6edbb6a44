// Whatever a parameter's value is: text and JSON bring it back, its interval decides, and a range
// is what it says.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"
#include "harness/text/error.hpp"
#include "tests/harness/properties.hpp"

namespace macrobench {
namespace {

std::optional<Value> parsed(const Axis& axis, const std::string& text) {
  try {
    return parse_value(axis, text, 1);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

Axis axis_of(Value default_value, Interval interval = {}) {
  return {.name = "x",
          .help = "a number",
          .default_value = std::move(default_value),
          .interval = interval};
}

/// A value that the axis allows.
Value any_value(const Axis& axis) {
  if (!axis.choices.empty()) return *rc::gen::elementOf(axis.choices);
  if (std::holds_alternative<std::string>(axis.default_value)) return axis.default_value;
  const double lowest = std::max(axis.interval.lowest, -1e6);
  const double highest = std::min(axis.interval.highest, 1e6);
  if (std::holds_alternative<std::int64_t>(axis.default_value)) {
    return *rc::gen::inRange(static_cast<std::int64_t>(lowest),
                             static_cast<std::int64_t>(highest) + 1);
  }
  const double x = lowest + any_share() * (highest - lowest);
  return axis.interval.contains(x) ? Value(x) : axis.default_value;
}

RC_GTEST_PROP(ParameterProperty, ARealNumberComesBackFromItsText, ()) {
  const double x = any_finite();
  const std::optional<Value> back = parsed(axis_of(0.5), to_string(Value(x)));
  RC_ASSERT(back.has_value());
  RC_ASSERT(std::get<double>(*back) == x);
}

RC_GTEST_PROP(ParameterProperty, AWholeNumberComesBackFromItsText, ()) {
  // Up to 2^53, every one of which a double holds.
  const auto n = *rc::gen::inRange(-(std::int64_t{1} << 53), (std::int64_t{1} << 53) + 1);
  const std::optional<Value> back = parsed(axis_of(std::int64_t{1}), to_string(Value(n)));
  RC_ASSERT(back.has_value());
  RC_ASSERT(std::get<std::int64_t>(*back) == n);
}

RC_GTEST_PROP(ParameterProperty, AnIntervalDecidesWhatIsRead, ()) {
  double lowest = any_finite(), highest = any_finite();
  if (highest < lowest) std::swap(lowest, highest);
  const Interval interval{.lowest = lowest,
                          .highest = highest,
                          .lowest_allowed = *rc::gen::arbitrary<bool>(),
                          .highest_allowed = *rc::gen::arbitrary<bool>()};
  const double x = *rc::gen::element(lowest, highest, lowest / 2 + highest / 2, any_finite());
  const bool above = interval.lowest_allowed ? x >= lowest : x > lowest;
  const bool below = interval.highest_allowed ? x <= highest : x < highest;
  RC_ASSERT(interval.contains(x) == (above && below));
  RC_ASSERT(parsed(axis_of(0.5, interval), to_string(Value(x))).has_value() == (above && below));
}

RC_GTEST_PROP(ParameterProperty, NoTextIsReadAsSomethingElse, ()) {
  const std::string text = any_text();
  const std::optional<Value> value = parsed(axis_of(0.5), text);
  if (!value) return;
  // What was read is written as a number that reads the same.
  RC_ASSERT(parsed(axis_of(0.5), to_string(*value)) == value);
}

RC_GTEST_PROP(ParameterProperty, AnyCaseOfAnyImplementationComesBackFromTextAndJson, ()) {
  const Implementation& implementation =
      *(*rc::gen::elementOf(Registry::global().implementations()));
  Parameters given;
  for (const Axis& axis : implementation.axes) {
    const Value value = any_value(axis);
    RC_ASSERT(parsed(axis, to_string(value)) == value);
    given.set(axis.name, value);
  }
  RC_ASSERT(complete(implementation.axes, given, 1) == given);
  const nlohmann::json line = nlohmann::json::parse(to_json(given).dump());
  RC_ASSERT(complete(implementation.axes, parameters_type().read(JsonCursor(line)), 1) == given);
}

RC_GTEST_PROP(ParameterProperty, ARangeThatDoublesHasBothEnds, ()) {
  const auto first = *rc::gen::inRange<std::int64_t>(1, 1 << 20);
  const auto last = *rc::gen::inRange<std::int64_t>(first, 1 << 24);
  const std::vector<Value> values =
      parse_values(axis_of(std::int64_t{1}), fmt::format("{}..{}", first, last), 1);
  RC_ASSERT(std::get<std::int64_t>(values.front()) == first);
  RC_ASSERT(std::get<std::int64_t>(values.back()) == last);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto twice = 2 * std::get<std::int64_t>(values[i - 1]);
    RC_ASSERT(std::get<std::int64_t>(values[i]) == std::min(twice, last));
  }
}

RC_GTEST_PROP(ParameterProperty, ARangeWithAStepIsEven, ()) {
  const auto first = *rc::gen::inRange<std::int64_t>(-1000, 1000);
  const auto last = *rc::gen::inRange<std::int64_t>(first, 3000);
  const auto step = *rc::gen::inRange<std::int64_t>(1, 500);
  const std::vector<Value> values =
      parse_values(axis_of(std::int64_t{1}), fmt::format("{}..{}:{}", first, last, step), 1);
  RC_ASSERT(values.size() == static_cast<std::size_t>((last - first) / step + 1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    RC_ASSERT(std::get<std::int64_t>(values[i]) == first + static_cast<std::int64_t>(i) * step);
  }
}

}  // namespace
}  // namespace macrobench
