#pragma once

#include <string>

#include "harness/records/statistics.hpp"

namespace macrobench {

/// The parts of a run whose times change differently from one campaign to the next.
enum class TimedPart { start, cold, warm };

/// How the logarithm of a time changes from one campaign to the next.
struct Noise {
  double variance = 0;
  double degrees = 0;  ///< of freedom
  int repeats = 0;     ///< that show it
};

/// What repeats show (tools/noise) of times of this duration, in seconds.
const Noise& noise_of(bool on_gpu, TimedPart part, double seconds);
using NoiseOf = const Noise& (*)(bool on_gpu, TimedPart part, double seconds);

/// A sentence that names the machines on which the noise was measured.
std::string about_noise();

/// The 95% interval of a value whose logarithm has this variance, by Student's t.
ConfidenceInterval interval_of(double value, const Noise& noise);

/// Student's t, two-sided 95%, for 3 degrees of freedom or more: to 1e-3 of it.
double student_t(double degrees);

}  // namespace macrobench
