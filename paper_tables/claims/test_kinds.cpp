#include "paper_tables/claims/test_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/numbers/ratio.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

/// Why there is too little evidence: the first point without any, and how many more there are.
Evidence why_not(const Series& series) {
  Series lacking;
  std::ranges::copy_if(series, std::back_inserter(lacking),
                       [](const SeriesPoint& point) { return !point.is_known; });
  if (lacking.empty()) return {};
  Evidence evidence{lacking.front()};
  if (lacking.size() > 1) {
    evidence.emplace_back(fmt::format(", and {} more cells", lacking.size() - 1));
  }
  return evidence;
}

const SeriesPoint& smallest(const Series& points) {
  return *std::ranges::min_element(points, {}, &SeriesPoint::value);
}
const SeriesPoint& largest(const Series& points) {
  return *std::ranges::max_element(points, {}, &SeriesPoint::value);
}

/// One point or two; of more the smallest and the largest.
Evidence span_of(const Series& points) {
  if (points.size() == 1) return {points[0]};
  if (points.size() == 2) return {points[0], ", ", points[1]};
  return {smallest(points), " to ", largest(points), fmt::format(", in {} columns", points.size())};
}

/// True if every column is surely inside; false if one is surely outside.
TestResult within(const ClaimTest& test, const Series& known) {
  Series open;
  for (const SeriesPoint& point : known) {
    const std::optional<bool> holds = test.range.holds(point.interval);
    if (holds == false) return {false, span_of(known)};
    if (!holds) open.push_back(point);
  }
  if (open.empty()) return {true, span_of(known)};
  return {std::nullopt, span_of(open), true};
}

/// True if the second number is at least so many times the first; none if it may be or not.
std::optional<bool> is_times(const SeriesPoint& second, double times, const SeriesPoint& first) {
  if (second.interval.low >= times * first.interval.high) return true;
  if (second.interval.high < times * first.interval.low) return false;
  return std::nullopt;
}

/// True if the way from one point to the next is the test's; a turn by the slack is none.
std::optional<bool> goes_on(const ClaimTest& test, const SeriesPoint& from, const SeriesPoint& to) {
  const double allowed = test.slack * std::abs(from.value);
  SeriesPoint start = from;
  if (test.kind == TestKind::rising) {
    start.interval.low -= allowed;
    start.interval.high -= allowed;
    return is_times(to, 1, start);
  }
  start.interval.low += allowed;
  start.interval.high += allowed;
  return is_times(start, 1, to);
}

/// True if the first and the last are far enough apart, if no step surely turns back by more than
/// the slack. In a list every step must be sure; along the columns, the way as a whole.
TestResult monotone(const ClaimTest& test, const Series& known, bool is_list) {
  bool is_sure = true;
  for (std::size_t i = 1; i < known.size(); ++i) {
    const std::optional<bool> on = goes_on(test, known[i - 1], known[i]);
    if (on == false) return {false, {known[i - 1], ", then ", known[i]}};
    is_sure = is_sure && on;
  }
  const SeriesPoint& first = known.front();
  const SeriesPoint& last = known.back();
  const bool up = test.kind == TestKind::rising;
  TestResult result{up ? is_times(last, test.times, first) : is_times(first, test.times, last),
                    {"from ", first, " to ", last}};
  if (is_list && !is_sure && result.holds != false) result.holds.reset();
  result.is_within_noise = !result.holds;
  return result;
}

TestResult along(const ClaimTest& test, const Series& known) {
  return monotone(test, known, false);
}

/// Constant times have an exponent of zero, not of a rounding error.
double without_dust(double exponent) {
  return std::abs(exponent) < 1e-9 ? 0 : exponent;
}

/// The exponent b of size^b, by least squares in logarithms. A range around zero is a fixed cost's:
/// then zero must be in the exponent's interval too.
TestResult growth(const ClaimTest& test, const Series& known) {
  double x_mean = 0, xx = 0;
  for (const SeriesPoint& point : known) {
    if (!(point.size > 0 && point.interval.low > 0)) {
      return {std::nullopt, {point, ": growth cannot go through zero"}};
    }
    x_mean += std::log(point.size) / static_cast<double>(known.size());
  }
  for (const SeriesPoint& point : known) xx += std::pow(std::log(point.size) - x_mean, 2);
  if (!(xx > 0)) return {std::nullopt, {"the columns all have the same size"}};
  double exponent = 0;
  ConfidenceInterval where;
  for (const SeriesPoint& point : known) {
    const double weight = (std::log(point.size) - x_mean) / xx;
    const auto [low, high] = point.interval;
    exponent += weight * std::log(point.value);
    where.low += weight * std::log(weight > 0 ? low : high);
    where.high += weight * std::log(weight > 0 ? high : low);
  }
  Evidence evidence{"exponent ", without_dust(exponent), ": ", known.front(), ", ", known.back()};
  std::optional<bool> holds = test.range.holds(where);
  const bool is_fixed = test.range.at_least < 0. && test.range.at_most > 0.;
  const bool has_zero = without_dust(where.low) <= 0 && without_dust(where.high) >= 0;
  if (is_fixed && !has_zero && holds == true) holds.reset();
  if (!holds) evidence.insert(evidence.begin() + 2, {" (", where.low, " to ", where.high, ")"});
  return {holds, std::move(evidence), !holds};
}

/// Compares the quantities with each other in each column where all of them are known.
TestResult down_the_list(const ClaimTest& test, const std::vector<Series>& all) {
  std::optional<TestResult> sure;
  std::optional<TestResult> noisy;
  std::size_t known = 0;
  for (std::size_t i = 0; i < test.columns.size(); ++i) {
    Series steps;
    for (const Series& series : all) {
      if (!series[i].is_known) break;
      SeriesPoint& step = steps.emplace_back(series[i]);
      step.column.clear();
    }
    if (steps.size() < all.size()) continue;
    ++known;
    TestResult result = monotone(test, steps, true);
    result.evidence.insert(result.evidence.begin(), fmt::format("at {}: ", test.columns[i]));
    if (result.holds == false) return result;
    (result.holds ? sure : noisy) = std::move(result);
  }
  if (known >= test.need) return known_value(noisy ? noisy : sure);
  const auto lacking = std::ranges::find_if(
      all, [&](const Series& series) { return known_in(series).size() < series.size(); });
  return {std::nullopt, why_not(*lacking)};
}

}  // namespace

std::optional<bool> Range::holds(const ConfidenceInterval& where) const {
  if (holds(where.low) && holds(where.high)) return true;
  if ((at_least && where.high < *at_least) || (at_most && where.low > *at_most)) return false;
  return std::nullopt;
}

const std::array<TestDescription, 5>& test_descriptions() {
  static constexpr std::array<TestDescription, 5> all{
      {{.kind = TestKind::within, .name = "within", .asked = "{range}", .result = within},
       {.kind = TestKind::rising,
        .name = "rising",
        .asked = "rising{steps}",
        .result = along,
        .goes_in_steps = true},
       {.kind = TestKind::falling,
        .name = "falling",
        .asked = "falling{steps}",
        .result = along,
        .goes_in_steps = true},
       {.kind = TestKind::growth,
        .name = "growth",
        .asked = "grows with the power {range} of {over}",
        .result = growth},
       {.kind = TestKind::untestable, .name = "untestable", .asked = ""}}};
  return all;
}

const TestDescription& description_of(TestKind kind) {
  return *std::ranges::find(test_descriptions(), kind, &TestDescription::kind);
}

Series known_in(const Series& series) {
  Series known;
  std::ranges::copy_if(series, std::back_inserter(known), &SeriesPoint::is_known);
  return known;
}

TestResult put_to_the_test(const ClaimTest& test, const std::vector<Series>& all) {
  if (all.size() > 1) return down_the_list(test, all);
  const Series& series = all.front();
  const Series known = known_in(series);
  if (known.size() < test.need) return {std::nullopt, why_not(series)};
  return description_of(test.kind).result(test, known);
}

}  // namespace macrobench
