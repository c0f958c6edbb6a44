#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/records/statistics.hpp"

namespace macrobench {

// How far the times of one case are from each other: within a sitting, which is one command on one
// machine, and from one sitting to the next. All of it is about natural logarithms of times.

/// One sitting's time of a case.
struct SittingMean {
  double log_time = 0;  ///< of the median over its processes of each one's median
  int processes = 1;
};

/// How times vary on a machine and a device.
struct Noise {
  double within = 0;   ///< variance from process to process of one sitting; 0 if it is not known
  double between = 0;  ///< variance from sitting to sitting
  double degrees = 0;  ///< of freedom, of the latter

  /// The variance of the median over this number of processes of a sitting.
  [[nodiscard]] double of_median(int processes) const;
};

/// The standard deviation from sitting to sitting that is expected where few cases repeat: what the
/// H100 folder in results/reference repeats has .059 on its GPU and .141 on its CPU, with what
/// varies within a sitting.
inline constexpr double usual_noise_of_gpu = 0.06;
inline constexpr double usual_noise_of_cpu = 0.14;
/// It counts as this many degrees of freedom.
inline constexpr double degrees_of_usual_noise = 4;

/// By the cases with two sittings or more: Cochran's unweighted moments, moderated by the usual
/// standard deviation (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3).
Noise noise_of(std::span<const std::vector<SittingMean>> cases, double within, double usual);

/// A mean over sittings and its variance, by Student's t with these degrees of freedom.
struct PooledTime {
  double log_time = 0;
  double variance = 0;
  double degrees = 0;
};

/// Weighs each sitting by its variance. The variance follows from the noise, or the variance of the
/// mean of these sittings if it is larger: as Knapp and Hartung (2003, Statistics in Medicine 22)
/// have it, but without weights, so that more noise never gives a smaller one. There must be at
/// least one sitting.
PooledTime pooled(std::span<const SittingMean> sittings, const Noise& noise);

/// The 95% interval of a time with this logarithm.
ConfidenceInterval interval_of(const PooledTime& time);

/// Student's t, two-sided 95%, for 3 degrees of freedom or more: to 1e-3 of it.
double student_t(double degrees);

}  // namespace macrobench
