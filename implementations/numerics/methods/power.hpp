#pragma once

#include <cmath>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::numerics {

/// x^power to about six digits, for a positive normal x; 0 gives 0 or infinity.
MACROBENCH_HOST_DEVICE inline float rough_power(float x, float power) {
#if defined(__CUDA_ARCH__)
  float logarithm;
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(logarithm) : "f"(x));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(logarithm * power));
  return result;
#else
  return std::exp2(std::log2(x) * power);
#endif
}

/// 1 / x to a few units in the last place, for a positive normal x.
MACROBENCH_HOST_DEVICE inline double quick_inverse(double x) {
#if defined(__CUDA_ARCH__)
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y += y * (1 - x * y);
  return y + y * (1 - x * y);
#else
  return 1 / x;
#endif
}

/// 1 / sqrt(x), likewise.
MACROBENCH_HOST_DEVICE inline double quick_inverse_root(double x) {
#if defined(__CUDA_ARCH__)
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y += y * (0.5 - 0.5 * x * y * y);
  return y + y * (0.5 - 0.5 * x * y * y);
#else
  return 1 / std::sqrt(x);
#endif
}

/// x^(1/7) to two units in the last place, for 0 <= x <= 1; almost 0 below 1e-36.
MACROBENCH_HOST_DEVICE inline double seventh_root(double x) {
  constexpr float least = 1e-36F;
  const auto rounded = static_cast<float>(x);
  const double z = static_cast<double>(rough_power(rounded > least ? rounded : least, -1.0F / 7));
  const double z2 = z * z;
  const double z6 = z2 * (z2 * z2);
  const double root = x * z6;
  const double h = 1 - root * z;
  // root (1 - h)^(-6/7), by the binomial series.
  return root + root * (h * (6.0 / 7 + h * (39.0 / 49)));
}

MACROBENCH_HOST_DEVICE inline float seventh_root(float x) {
  return rough_power(x, 1.0F / 7);
}

}  // namespace macrobench::numerics
