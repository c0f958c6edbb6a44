#pragma once

#include <cstddef>
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

/// The variance of the logarithm of their median, as far as they show it: 0 if there is one. The
/// values must be above 0.
double variance_of_median(const std::vector<double>& values);

/// How many of n values are below the low end of that interval.
std::size_t rank_of_interval(std::size_t n, double confidence);

/// The same for the median of ratios that were measured in pairs. None with fewer than
/// least_pairs().
std::optional<ConfidenceInterval> interval_of_pairs(const std::vector<double>& ratios,
                                                    double confidence);

/// The fewest pairs that can give this confidence: with fewer, not even the smallest and the
/// largest ratio enclose the median that surely (each is below it half of the time).
int least_pairs(double confidence);

}  // namespace macrobench
