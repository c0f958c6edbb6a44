#pragma once

// Elementary functions without a branch or a call, so that a loop over them becomes vector
// instructions. They are compiled for the instruction set of their caller.

#include <bit>
#include <cstdint>

#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::numerics {

/// e^x to two units in the last place. Below -708, where the result would not be a normal
/// number, e^-708; at most e^709.
MACROBENCH_ALWAYS_INLINE inline double exp_of(double x) {
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high =
      0x1.62e42fefa3800p-1;  // has so many trailing zeros that n times this is exact
  constexpr double ln2_low = 0x1.ef35793c76730p-45;
  constexpr double round_and_bias = 0x1.8p52 + 1023;

  x = x < -708 ? -708 : x;
  x = x > 709 ? 709 : x;
  const double shifted = x * log2_e + round_and_bias;
  const double n = shifted - round_and_bias;
  const double r = (x - n * ln2_high) - n * ln2_low;  // |r| <= log(2) / 2
  // Taylor's series: what is left out is below 1e-17.
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 1.0 / 2;
  sum = sum * (r * r) + r + 1;
  // The lowest bits of `shifted` are n + 1023, the exponent of 2^n.
  return sum * std::bit_cast<double>(std::bit_cast<std::uint64_t>(shifted) << 52);
}

/// log(1 + y) for 0 <= y <= 1, to two units in the last place.
MACROBENCH_ALWAYS_INLINE inline double log1p_of(double y) {
  constexpr double ln2 = 0.6931471805599453;
  constexpr double sqrt_half = 0.7071067811865476;
  // 1 + y, or half of it, is (1 + s) / (1 - s) with |s| <= .172.
  const bool halve = y > 2 * sqrt_half - 1;
  const double above_one = halve ? (y - 1) / 2 : y;
  const double s = above_one / (2 + above_one);
  const double s2 = s * s;
  double sum = 2.0 / 21;
  sum = sum * s2 + 2.0 / 19;
  sum = sum * s2 + 2.0 / 17;
  sum = sum * s2 + 2.0 / 15;
  sum = sum * s2 + 2.0 / 13;
  sum = sum * s2 + 2.0 / 11;
  sum = sum * s2 + 2.0 / 9;
  sum = sum * s2 + 2.0 / 7;
  sum = sum * s2 + 2.0 / 5;
  sum = sum * s2 + 2.0 / 3;
  return (halve ? ln2 : 0.0) + (sum * s2 * s + 2 * s);
}

}  // namespace macrobench::numerics
