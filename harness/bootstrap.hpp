#pragma once

#include <optional>
#include <vector>

namespace macrobench {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

/// Of the ratio of two medians, numerator's over denominator's, by the percentile bootstrap: both
/// samples are drawn from anew, apart. The same samples give the same interval. A sample of one
/// number is that number, a known one; none if either is empty or both are known.
std::optional<ConfidenceInterval> bootstrap_ratio_of_medians(const std::vector<double>& numerator,
                                                             const std::vector<double>& denominator,
                                                             double confidence = 0.95);

}  // namespace macrobench
