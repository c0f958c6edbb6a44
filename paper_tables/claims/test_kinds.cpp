#include "paper_tables/claims/test_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

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

std::size_t count_in(const Range& range, const Series& points) {
  return static_cast<std::size_t>(std::ranges::count_if(
      points, [&](const SeriesPoint& point) { return range.holds(point.value); }));
}

TestResult within(const ClaimTest& test, const Series&, const Series& known) {
  return {count_in(test.range, known) == known.size(), span_of(known)};
}

/// Whether more than half of all columns, unknown ones included, are in the range.
TestResult usually(const ClaimTest& test, const Series& series, const Series& known) {
  const std::size_t inside = count_in(test.range, known);
  if (2 * inside > series.size()) return {true, span_of(known)};
  if (2 * (known.size() - inside) >= series.size()) return {false, span_of(known)};
  return {std::nullopt, why_not(series)};
}

/// Whether some column is in the range. To say that none is, all must be known.
TestResult reaches(const ClaimTest& test, const Series& series, const Series& known) {
  const SeriesPoint& best = test.range.at_least ? largest(known) : smallest(known);
  for (const SeriesPoint& point : known) {
    if (!test.range.holds(point.value)) continue;
    if (point.column == best.column) return {true, {best}};
    return {true, {point, ", and ", best}};
  }
  if (known.size() < series.size()) return {std::nullopt, why_not(series)};
  return {false, {test.range.at_least ? "no more than " : "no less than ", best}};
}

/// The first step from one point to the next that turns by more than the slack, or else whether the
/// first and the last are far enough apart.
TestResult monotone(const ClaimTest& test, const Series&, const Series& known) {
  const bool up = test.kind == TestKind::rising;
  for (std::size_t i = 1; i < known.size(); ++i) {
    const double before = known[i - 1].value;
    const double after = known[i].value;
    const double allowed = test.slack * std::abs(before);
    if (up ? after < before - allowed : after > before + allowed) {
      return {false, {known[i - 1], ", then ", known[i]}};
    }
  }
  const double first = known.front().value;
  const double last = known.back().value;
  return {up ? last >= test.times * first : first >= test.times * last,
          {"from ", known.front(), " to ", known.back()}};
}

/// The first column from which all known columns are in the range.
TestResult crosses(const ClaimTest& test, const Series& series, const Series& known) {
  std::optional<std::size_t> first;
  for (std::size_t i = series.size(); i-- > 0;) {
    if (!series[i].is_known) continue;
    if (!test.range.holds(series[i].value)) break;
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

/// The exponent b of size^b, by least squares in logarithms.
TestResult growth(const ClaimTest& test, const Series&, const Series& known) {
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(known.size());
  for (const SeriesPoint& point : known) {
    if (!(point.size > 0 && point.value > 0)) {
      return {std::nullopt, {point, ": growth cannot go through zero"}};
    }
    x_mean += std::log(point.size) / n;
    y_mean += std::log(point.value) / n;
  }
  for (const SeriesPoint& point : known) {
    const double x = std::log(point.size) - x_mean;
    xx += x * x;
    xy += x * (std::log(point.value) - y_mean);
  }
  if (!(xx > 0)) return {std::nullopt, {"the columns all have the same size"}};
  const double exponent = xy / xx;
  return {test.range.holds(exponent),
          {"exponent ", exponent, ": ", known.front(), ", ", known.back()}};
}

TestResult spread(const ClaimTest& test, const Series&, const Series& known) {
  const SeriesPoint& low = smallest(known);
  const SeriesPoint& high = largest(known);
  if (!(low.value > 0)) return {std::nullopt, {low, ": no times that of it"}};
  const double ratio = high.value / low.value;
  return {test.range.holds(ratio), {ratio, " times: ", low, ", ", high}};
}

/// Compares the quantities with each other in each column where all of them are known.
TestResult down_the_list(const ClaimTest& test, const std::vector<Series>& all) {
  TestResult result;
  std::size_t known = 0;
  for (std::size_t i = 0; i < test.columns.size(); ++i) {
    Series steps;
    for (const Series& series : all) {
      if (!series[i].is_known) break;
      steps.push_back(
          {.of = series[i].of, .column = {}, .is_known = true, .value = series[i].value});
    }
    if (steps.size() < all.size()) continue;
    ++known;
    if (result.holds && !*result.holds) continue;
    result = monotone(test, {}, steps);
    result.evidence.insert(result.evidence.begin(), fmt::format("at {}: ", test.columns[i]));
  }
  if (known >= test.need) return result;
  const auto lacking = std::ranges::find_if(
      all, [&](const Series& series) { return known_in(series).size() < series.size(); });
  return {std::nullopt, why_not(*lacking)};
}

}  // namespace

const std::array<TestDescription, 9>& test_descriptions() {
  static constexpr std::array<TestDescription, 9> all{
      {{.kind = TestKind::within, .name = "within", .asked = "{range}", .result = within},
       {.kind = TestKind::usually,
        .name = "usually",
        .asked = "{range} in most columns",
        .result = usually,
        .takes_what_is_known = true},
       {.kind = TestKind::reaches,
        .name = "reaches",
        .asked = "{range} in some column",
        .result = reaches,
        .takes_what_is_known = true},
       {.kind = TestKind::rising,
        .name = "rising",
        .asked = "rising{steps}",
        .result = monotone,
        .goes_in_steps = true},
       {.kind = TestKind::falling,
        .name = "falling",
        .asked = "falling{steps}",
        .result = monotone,
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
       {.kind = TestKind::spread,
        .name = "spread",
        .asked = "largest over smallest {range}",
        .result = spread},
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
