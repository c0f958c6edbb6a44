#include "harness/numbers/noise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace macrobench {

namespace {

/// Under 1 ms, to 1 s, above.
int duration_of(double seconds) {
  return seconds < 1e-3 ? 0 : seconds < 1 ? 1 : 2;
}

struct NoiseClass {
  bool on_gpu;
  TimedPart part;
  int duration;
  Noise noise;
};

#include "harness/numbers/noise_classes.inc"

}  // namespace

const Noise& noise_of(bool on_gpu, TimedPart part, double seconds) {
  const int duration = duration_of(seconds);
  const auto* const found = std::ranges::find_if(noise_classes, [&](const NoiseClass& known) {
    return known.on_gpu == on_gpu && known.part == part && known.duration == duration;
  });
  return found->noise;
}

std::string about_noise() {
  return fmt::format("Intervals have the noise between campaigns that was measured on {}.",
                     fmt::join(noise_machines, " and "));
}

ConfidenceInterval interval_of(double value, const Noise& noise) {
  const double half = student_t(noise.degrees) * std::sqrt(noise.variance);
  return {value * std::exp(-half), value * std::exp(half)};
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
