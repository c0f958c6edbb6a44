#include "harness/run/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/records/statistics.hpp"

namespace macrobench {

namespace {

/// The value below which this share is, linear between samples: with as few as three, the nearest
/// to the quartiles are the middle one and the largest.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// As for normal samples, from their interquartile range: a cold first sample or an interrupted one
/// soon stops mattering, but times that jump between two levels always matter.
double relative_standard_error_of_median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const double sigma = (quantile(samples, 0.75) - quantile(samples, 0.25)) / 1.349;
  const double center = quantile(samples, 0.5);
  if (center == 0) return 0;
  return 1.2533 * sigma / std::sqrt(static_cast<double>(samples.size())) / center;
}

}  // namespace

void StoppingCriterion::add(double seconds) {
  samples_.push_back(seconds);
  spent_ += seconds;
}

bool StoppingCriterion::is_finished() const {
  if (samples_.empty()) return false;
  const auto taken = static_cast<int>(samples_.size());
  if (taken >= sampling_.maximum) return true;
  if (*std::max_element(samples_.begin(), samples_.end()) > sampling_.seconds) return true;
  if (taken < sampling_.minimum) return false;
  return spent_ >= sampling_.seconds ||
         relative_standard_error_of_median(samples_) < sampling_.relative_spread;
}

}  // namespace macrobench
