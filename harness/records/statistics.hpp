#pragma once

#include <optional>
#include <vector>

namespace macrobench {

// Statistics are made from the samples when they are shown.

/// Not a number of none.
double median(std::vector<double> values);
/// The value below which the share of them lies: the nearest one, of one at least.
double quantile(std::vector<double> values, double share);
/// Median absolute deviation over the median: a relative spread that one outlier does not move.
double relative_spread(const std::vector<double>& values);

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

/// Of the ratio of two medians, numerator's over denominator's, by the percentile bootstrap: both
/// samples are drawn from anew, apart. The same samples give the same interval. A sample of one
/// number is that number, a known one; none if either is empty, both are known, or it may be 0 over
/// 0.
std::optional<ConfidenceInterval> bootstrap_ratio_of_medians(const std::vector<double>& numerator,
                                                             const std::vector<double>& denominator,
                                                             double confidence = 0.95);

/// Of the median of ratios that were taken in pairs, by the percentile bootstrap: the pairs are
/// drawn from anew. The same ratios give the same interval. None with fewer than least_pairs().
std::optional<ConfidenceInterval> bootstrap_median_ratio(const std::vector<double>& ratios,
                                                         double confidence);

/// The fewest pairs of which so much confidence can come: with fewer, not even the smallest and the
/// largest ratio hold the median between them that surely (each lies below it half of the time).
int least_pairs(double confidence);

}  // namespace macrobench
