#include "harness/records/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

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

double sum_of_squared_logarithms(const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += std::log(value) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += std::pow(std::log(value) - mean, 2);
  return squares;
}

namespace {

constexpr int resamples = 2000;

/// Above this size the rank of a resample's median is as good as normally distributed.
constexpr std::size_t largest_drawn = 1000;

/// Draws samples of the same size from one, with replacement.
class Resampler {
 public:
  explicit Resampler(std::vector<double> from) : from_(std::move(from)) {
    if (from_.size() > largest_drawn) std::sort(from_.begin(), from_.end());
  }

  /// The median of the next one. The standard's distributions differ from library to library; the
  /// engine does not.
  double median(std::mt19937_64& engine) {
    if (from_.size() > largest_drawn) return from_[rank_of_median(engine)];
    std::vector<double> drawn(from_.size());
    for (double& value : drawn) value = from_[engine() % from_.size()];
    return macrobench::median(std::move(drawn));
  }

 private:
  /// The middle one of n uniform numbers has a beta distribution of mean 1/2 and variance
  /// 1 / 4(n + 2).
  [[nodiscard]] std::size_t rank_of_median(std::mt19937_64& engine) const {
    const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) / 0x1p53; };
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double normal = radius * std::cos(2 * std::numbers::pi * uniform());
    const auto n = static_cast<double>(from_.size());
    const double place = n * (0.5 + 0.5 * normal / std::sqrt(n + 2));
    return static_cast<std::size_t>(std::clamp(place, 0.0, n - 1));
  }

  std::vector<double> from_;
};

ConfidenceInterval percentile_interval(const std::vector<double>& values, double confidence) {
  return {quantile(values, (1 - confidence) / 2), quantile(values, (1 + confidence) / 2)};
}

}  // namespace

ConfidenceInterval interval_of_median(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
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
  return {values[rank], values[n - 1 - rank]};
}

std::optional<ConfidenceInterval> bootstrap_ratio_of_medians(const std::vector<double>& numerator,
                                                             const std::vector<double>& denominator,
                                                             double confidence) {
  if (numerator.empty() || denominator.empty()) return std::nullopt;
  if (numerator.size() == 1 && denominator.size() == 1) return std::nullopt;
  std::mt19937_64 engine(20101);
  Resampler numerators(numerator), denominators(denominator);
  std::vector<double> ratios;
  ratios.reserve(resamples);
  for (int n = 0; n < resamples; ++n) {
    const double above = numerators.median(engine);
    ratios.push_back(above / denominators.median(engine));
    if (std::isnan(ratios.back())) return std::nullopt;
  }
  return percentile_interval(ratios, confidence);
}

std::optional<ConfidenceInterval> bootstrap_median_ratio(const std::vector<double>& ratios,
                                                         double confidence) {
  if (static_cast<int>(ratios.size()) < least_pairs(confidence)) return std::nullopt;
  constexpr int paired_resamples = 10'000;  // the ends of a 99.5% interval are far out
  std::mt19937_64 engine(20101);
  Resampler resampler(ratios);
  std::vector<double> medians;
  medians.reserve(paired_resamples);
  for (int n = 0; n < paired_resamples; ++n) medians.push_back(resampler.median(engine));
  return percentile_interval(medians, confidence);
}

int least_pairs(double confidence) {
  return static_cast<int>(std::ceil(1 - std::log2(1 - confidence)));
}

}  // namespace macrobench
