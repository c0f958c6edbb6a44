#include "harness/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "harness/record.hpp"

namespace macrobench {

namespace {

/// Of normal samples, from their median absolute deviation, which a cold first sample or an
/// interrupted one does not move. The last factor takes out most of its bias in small samples.
double relative_standard_error_of_median(const std::vector<double>& samples) {
  const double n = static_cast<double>(samples.size());
  const double sigma = 1.4826 * relative_spread(samples) * n / (n - 0.8);
  return 1.2533 * sigma / std::sqrt(n);
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
