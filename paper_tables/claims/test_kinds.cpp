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

/// Those points of which it is known whether they are in the range, as the flag says.
Series decided(const Range& range, const Series& points, bool inside) {
  Series found;
  std::ranges::copy_if(points, std::back_inserter(found), [&](const SeriesPoint& point) {
    return range.holds(point.interval) == inside;
  });
  return found;
}

/// Those of which it is not.
Series unclear(const Range& range, const Series& points) {
  Series found;
  std::ranges::copy_if(points, std::back_inserter(found), [&](const SeriesPoint& point) {
    return !range.holds(point.interval).has_value();
  });
  return found;
}

TestResult within_noise(Evidence evidence) {
  return {std::nullopt, std::move(evidence), true};
}

/// Of one number that follows from the points.
TestResult decide(const Range& range, const ConfidenceInterval& where, Evidence evidence) {
  const std::optional<bool> holds = range.holds(where);
  return {holds, std::move(evidence), !holds};
}

/// True if every column is surely inside; false if one is surely outside.
TestResult within(const ClaimTest& test, const Series&, const Series& known) {
  if (!decided(test.range, known, false).empty()) return {false, span_of(known)};
  const Series open = unclear(test.range, known);
  return open.empty() ? TestResult{true, span_of(known)} : within_noise(span_of(open));
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

TestResult along(const ClaimTest& test, const Series&, const Series& known) {
  return monotone(test, known, false);
}

/// The first column from which all known columns are in the range, where those that may be on
/// either side are, or are not.
TestResult crossing(const ClaimTest& test, const Series& series, const Series& known,
                    bool unclear_ones_are_in) {
  std::optional<std::size_t> first;
  for (std::size_t i = series.size(); i-- > 0;) {
    if (!series[i].is_known) continue;
    if (!test.range.holds(series[i].interval).value_or(unclear_ones_are_in)) break;
    first = i;
  }
  const auto is_allowed = [&](const SeriesPoint& point) {
    return std::ranges::find(test.first, point.column) != test.first.end();
  };
  if (!first) {
    // Unknown columns may still be in the range, and early enough.
    for (const SeriesPoint& point : series) {
      if (is_allowed(point) && !point.is_known) return {std::nullopt, why_not(series)};
    }
    Evidence evidence = span_of(known);
    evidence.insert(evidence.begin(), "in no column: ");
    return {false, std::move(evidence)};
  }
  const SeriesPoint& point = series[*first];
  if (*first == 0) return {is_allowed(point), {"from the first on: ", point}};
  const SeriesPoint& before = series[*first - 1];
  if (!before.is_known) return {std::nullopt, why_not(series)};
  return {is_allowed(point), {fmt::format("from {} on: ", point.column), before, ", ", point}};
}

TestResult crosses(const ClaimTest& test, const Series& series, const Series& known) {
  TestResult early = crossing(test, series, known, true);
  const TestResult late = crossing(test, series, known, false);
  if (early.holds == late.holds) return early;
  if (!early.holds || !late.holds) return early.holds ? late : early;
  return within_noise(std::move(early.evidence));
}

/// Constant times have an exponent of zero, not of a rounding error.
double without_dust(double exponent) {
  return std::abs(exponent) < 1e-9 ? 0 : exponent;
}

/// The exponent b of size^b, by least squares in logarithms.
TestResult growth(const ClaimTest& test, const Series&, const Series& known) {
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
  TestResult result =
      decide(test.range, where,
             {"exponent ", without_dust(exponent), ": ", known.front(), ", ", known.back()});
  if (result.is_within_noise) {
    result.evidence.insert(result.evidence.begin() + 2, {" (", where.low, " to ", where.high, ")"});
  }
  return result;
}

/// Compares the quantities with each other in each column where all of them are known.
TestResult down_the_list(const ClaimTest& test, const std::vector<Series>& all) {
  std::optional<TestResult> sure;
  std::optional<TestResult> noisy;
  std::size_t known = 0;
  std::size_t holding = 0;
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
    holding += result.holds ? 1 : 0;
    (result.holds ? sure : noisy) = std::move(result);
  }
  if (known >= test.need && holding >= test.need) return known_value(sure);
  if (known >= test.need) return known_value(noisy);
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

const std::array<TestDescription, 6>& test_descriptions() {
  static constexpr std::array<TestDescription, 6> all{
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
       {.kind = TestKind::crosses,
        .name = "crosses",
        .asked = "{range}, first at {first}",
        .result = crosses,
        .field = "first",
        .takes_what_is_known = true},
       {.kind = TestKind::growth,
        .name = "growth",
        .asked = "grows with the power {range} of {over}",
        .result = growth,
        .field = "over"},
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
  const TestDescription& kind = description_of(test.kind);
  if (known.empty() || (!kind.takes_what_is_known && known.size() < test.need)) {
    return {std::nullopt, why_not(series)};
  }
  return kind.result(test, series, known);
}

}  // namespace macrobench
