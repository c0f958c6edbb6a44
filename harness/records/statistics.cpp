#include "harness/records/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>

namespace macrobench {

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : std::midpoint(values[middle - 1], values[middle]);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(place))];
}

double relative_spread(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  return center == 0 ? 0 : median(deviations) / std::abs(center);
}

double variance_of_median(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (n < 2) return 0;
  double mean = 0;
  for (const double value : values) mean += std::log(value) / n;
  double squares = 0;
  for (const double value : values) squares += std::pow(std::log(value) - mean, 2);
  // The median of n normal numbers varies pi / 2 times as much as their mean.
  return std::numbers::pi / 2 * squares / (n - 1) / n;
}

std::size_t rank_of_interval(std::size_t n, double confidence) {
  // Each value is below the median half of the time: the chance that so many are.
  const auto chance = [&](std::size_t below) {
    const auto all = static_cast<double>(n);
    const auto some = static_cast<double>(below);
    return std::exp(std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1) -
                    all * std::numbers::ln2);
  };
  double tail = chance(0);
  std::size_t rank = 0;
  while (2 * (rank + 1) < n) {
    tail += chance(rank + 1);
    if (2 * tail > 1 - confidence) break;
    ++rank;
  }
  return rank;
}

ConfidenceInterval interval_of_median(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const std::size_t rank = rank_of_interval(values.size(), confidence);
  return {values[rank], values[values.size() - 1 - rank]};
}

std::optional<ConfidenceInterval> interval_of_pairs(const std::vector<double>& ratios,
                                                    double confidence) {
  if (static_cast<int>(ratios.size()) < least_pairs(confidence)) return std::nullopt;
  return interval_of_median(ratios, confidence);
}

int least_pairs(double confidence) {
  return static_cast<int>(std::ceil(1 - std::log2(1 - confidence)));
}

}  // namespace macrobench
