#include "harness/numbers/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace macrobench {

double Noise::of_median(int processes) const {
  // The median of n normal numbers varies pi / 2 times as much as their mean.
  return processes > 1 ? std::numbers::pi / 2 * within / processes : within;
}

Noise noise_of(std::span<const std::vector<SittingMean>> cases, double within, double usual) {
  Noise noise{.within = within};
  double squares = 0;   // around the mean of each case
  double expected = 0;  // of these, from the noise within sittings
  double degrees = 0;
  for (const std::vector<SittingMean>& sittings : cases) {
    const auto m = static_cast<double>(sittings.size());
    if (sittings.size() < 2) continue;
    double mean = 0;
    for (const SittingMean& one : sittings) mean += one.log_time / m;
    for (const SittingMean& one : sittings) {
      squares += (one.log_time - mean) * (one.log_time - mean);
      expected += (1 - 1 / m) * noise.of_median(one.processes);
    }
    degrees += m - 1;
  }
  const double found = std::max(0.0, squares - expected);  // times the degrees of freedom
  noise.degrees = degrees_of_usual_noise + degrees;
  noise.between = (degrees_of_usual_noise * usual * usual + found) / noise.degrees;
  return noise;
}

PooledTime pooled(std::span<const SittingMean> sittings, const Noise& noise) {
  double weights = 0;
  double sum = 0;
  for (const SittingMean& one : sittings) {
    const double weight = 1 / (noise.between + noise.of_median(one.processes));
    weights += weight;
    sum += weight * one.log_time;
  }
  const auto m = static_cast<double>(sittings.size());
  PooledTime time{
      .log_time = sum / weights, .variance = 1 / weights, .degrees = noise.degrees + m - 1};
  if (m < 2) return time;
  double mean = 0;
  for (const SittingMean& one : sittings) mean += one.log_time / m;
  double squares = 0;
  for (const SittingMean& one : sittings) squares += std::pow(one.log_time - mean, 2);
  time.variance = std::max(time.variance, squares / (m * (m - 1)));
  return time;
}

ConfidenceInterval interval_of(const PooledTime& time) {
  const double half = student_t(time.degrees) * std::sqrt(time.variance);
  return {std::exp(time.log_time - half), std::exp(time.log_time + half)};
}

double student_t(double degrees) {
  // Cornish and Fisher's expansion about the normal quantile.
  constexpr double z = 1.959963984540054;
  constexpr double z2 = z * z;
  const double n = degrees;
  return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n) +
              ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / (92160 * n * n * n * n));
}

}  // namespace macrobench
