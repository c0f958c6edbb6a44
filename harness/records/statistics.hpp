#pragma once

#include <optional>
#include <vector>

namespace macrobench {

// Statistics are computed from the samples when they are shown.

/// NaN if there are none.
double median(std::vector<double> values);
/// The value below which this share of them is: the nearest one. There must be at least one.
double quantile(std::vector<double> values, double share);
/// Median absolute deviation over the median: a relative spread that one outlier does not move.
double relative_spread(const std::vector<double>& values);

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

/// For the median, between two of the values, whatever their distribution: the closest two of the
/// same rank from either end that enclose it with this confidence, or else the smallest and the
/// largest. There must be at least one.
ConfidenceInterval interval_of_median(std::vector<double> values, double confidence = 0.95);

/// The logarithms around their mean; the values must be above 0.
double sum_of_squared_logarithms(const std::vector<double>& values);

/// For the ratio of two medians, numerator's over denominator's, by the percentile bootstrap, which
/// resamples each separately: of more than a thousand numbers, by the distribution of their
/// resamples' medians. The same samples give the same interval. A sample of one number
/// counts as known exactly. None if either is empty, both are known exactly, or the ratio may be 0
/// over 0.
std::optional<ConfidenceInterval> bootstrap_ratio_of_medians(const std::vector<double>& numerator,
                                                             const std::vector<double>& denominator,
                                                             double confidence = 0.95);

/// For the median of ratios that were measured in pairs, by the percentile bootstrap, which
/// resamples the pairs. The same ratios give the same interval. None with fewer than least_pairs().
std::optional<ConfidenceInterval> bootstrap_median_ratio(const std::vector<double>& ratios,
                                                         double confidence);

/// The fewest pairs that can give this confidence: with fewer, not even the smallest and the
/// largest ratio enclose the median that surely (each is below it half of the time).
int least_pairs(double confidence);

}  // namespace macrobench
