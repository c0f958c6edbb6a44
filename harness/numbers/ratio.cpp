#include "harness/numbers/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/numbers/noise.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

/// Both have a variance, or are known exactly or within rounding.
ConfidenceInterval interval_of(const Cell& above, const Cell& below) {
  const bool is_sampled = above.variance > 0 || below.variance > 0;
  const double ratio = known_value(above.value) / known_value(below.value);
  if (!is_sampled || !(ratio > 0)) return over(interval_of(above), interval_of(below));
  const double variance = above.variance + below.variance;
  // Welch and Satterthwaite; an exact number has no degrees of freedom to add.
  double spent = 0;
  for (const Cell* cell : {&above, &below}) {
    if (cell->variance > 0) spent += cell->variance * cell->variance / std::max(1.0, cell->degrees);
  }
  ConfidenceInterval where =
      macrobench::interval_of(ratio, Noise{variance, variance * variance / spent});
  // A number without samples has the ends of its rounding or of its law.
  for (const bool is_above : {true, false}) {
    const Cell& cell = is_above ? above : below;
    if (cell.variance > 0 || !cell.interval) continue;
    const double value = known_value(cell.value);
    const double low = cell.interval->low / value;
    const double high = cell.interval->high / value;
    where.low *= is_above ? low : 1 / high;
    where.high *= is_above ? high : 1 / low;
  }
  return where;
}

Cell refused(Status status, Reason why) {
  return {.status = status, .why = std::move(why)};
}

Cell divided(const Cell& numerator, const Cell& baseline, Aspects about) {
  // A time over a count is a time each.
  const bool is_each = baseline.unit == "1" && numerator.unit != "1";
  if (is_each) about.merge(Aspects{Aspect::scope, Aspect::stage});
  Meeting meeting = meet(numerator, baseline, about);
  if (meeting.is_refused) return refused(meeting.status, std::move(meeting.why));
  if (numerator.unit != baseline.unit && !is_each) {
    return refused(Status::not_run,
                   Reason(Reason::Kind::not_divided,
                          fmt::format("{} over {}", numerator.unit, baseline.unit)));
  }
  Cell cell{.value = *numerator.value / *baseline.value,
            .kind = Kind::constant,
            .status = Status::measured};
  if (!std::isfinite(*cell.value)) return refused(Status::failed, "the baseline took no time");
  rest_on(cell, numerator);
  rest_on(cell, baseline);
  cell.marks = std::move(meeting.marks);
  cell.scope = numerator.scope;
  if (is_each) cell.unit = numerator.unit;
  cell.interval = interval_of(numerator, baseline);
  cell.variance = numerator.variance + baseline.variance;
  cell.shared = numerator.shared + baseline.shared;
  const double degrees = std::min(numerator.variance > 0 ? numerator.degrees : HUGE_VAL,
                                  baseline.variance > 0 ? baseline.degrees : HUGE_VAL);
  cell.degrees = cell.variance > 0 ? degrees : 0;
  return cell;
}

}  // namespace

ConfidenceInterval over(const ConfidenceInterval& above, const ConfidenceInterval& below) {
  const auto [low, high] = std::minmax({above.low / below.low, above.low / below.high,
                                        above.high / below.low, above.high / below.high});
  return {low, high};
}

Ratio::Ratio(const Cell& numerator, const Cell& baseline, const Aspects& about)
    : cell_(divided(numerator, baseline, about)) {}

MeanOfRatios geometric_mean(std::span<const Ratio> ratios) {
  MeanOfRatios mean;
  double logarithms = 0;
  double own = 0;  // variance that the mean averages out
  double shared = 0;
  double degrees = HUGE_VAL;
  ConfidenceInterval rounding{0, 0};  // logarithms, of the ratios that no sample blurs
  std::optional<ConfidenceInterval> first;
  for (const Ratio& ratio : ratios) {
    if (ratio.is_refused()) {
      ++mean.refused;
      continue;
    }
    const Cell& cell = ratio.cell();
    const double value = known_value(cell.value);
    if (mean.ratios == 0) {
      mean.cell = Cell{.kind = cell.kind, .status = Status::measured, .scope = cell.scope};
      mean.lowest = mean.highest = value;
      first = cell.interval;
    } else if (cell.scope != mean.cell.scope || cell.unit != mean.cell.unit) {
      mean.cell = Cell{.status = Status::not_run,
                       .why = Reason(Reason::Kind::not_divided, "times of several parts of a run")};
      return mean;
    }
    ++mean.ratios;
    mean.lowest = std::min(mean.lowest, value);
    mean.highest = std::max(mean.highest, value);
    logarithms += std::log(value);
    own += cell.variance - cell.shared;
    shared = std::max(shared, cell.shared);
    if (cell.variance > 0) {
      degrees = std::min(degrees, cell.degrees);
    } else {
      rounding.low += std::log(interval_of(cell).low / value);
      rounding.high += std::log(interval_of(cell).high / value);
    }
    rest_on(mean.cell, cell);
  }
  if (mean.ratios == 0) return mean;
  const auto k = static_cast<double>(mean.ratios);
  mean.cell.value = std::exp(logarithms / k);
  // What a campaign changed, it may have changed in all of the ratios.
  mean.cell.variance = own / (k * k) + shared;
  mean.cell.shared = shared;
  if (mean.cell.variance > 0) mean.cell.degrees = degrees;
  if (mean.ratios == 1) {
    mean.cell.interval = first;
    return mean;
  }
  const double half =
      mean.cell.variance > 0 ? student_t(degrees) * std::sqrt(mean.cell.variance) : 0;
  mean.cell.interval = ConfidenceInterval{*mean.cell.value * std::exp(rounding.low / k - half),
                                          *mean.cell.value * std::exp(rounding.high / k + half)};
  return mean;
}

}  // namespace macrobench
