#pragma once

// What a machine can do at its best: the ceilings of a roofline (Williams, Waterman and
// Patterson, "Roofline: an insightful visual performance model for multicore architectures",
// Communications of the ACM 52(4), 2009). No paper here has them; its programs are compared with
// them.
//
//   copy          an array into another and back, `passes` times in all: bytes per second
//   multiply_add  x <- a x + b on n independent numbers, 64 `passes` times: operations per second
//   exchange      an array that several GPUs divide, whose shares all of them get, `passes` times:
//                 bytes per second that each gets from the others
//
// The result of each is known in closed form, so that a missing pass is noticed.

#include <cstddef>
#include <vector>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::roofline {

enum class Ceiling { copy, multiply_add, exchange };

struct Problem {
  Ceiling ceiling = Ceiling::copy;
  int n = 1 << 25;      ///< numbers, a multiple of 4,096; by default beyond any cache
  int passes = 20;      ///< >= 1
  bool single = false;  ///< precision of the numbers
  int threads = 1;      ///< CPU threads
  int gpus = 1;         ///< 1 for all but `exchange`

  [[nodiscard]] std::size_t numbers() const { return static_cast<std::size_t>(n); }
};

/// A pass of `copy` or `exchange` shifts the array by this many places, wrapping around its end.
inline constexpr int stride = 4096;
/// Whether the array is shifted.
constexpr bool is_shifted(Ceiling ceiling) {
  return ceiling != Ceiling::multiply_add;
}
/// Multiply-adds of each number in a pass of `multiply_add`.
inline constexpr int steps_a_pass = 64;

/// x <- slope x + intercept has its fixed point at 1, and the distance to it halves in 710 steps:
/// no number becomes too small, and none stops moving.
inline constexpr double slope = 1 - 1.0 / 1024;
inline constexpr double intercept = 1.0 / 1024;

/// The number at place i at the start: a whole number that `Real` represents exactly, and that does
/// not repeat with the stride.
template <class Real>
MACROBENCH_HOST_DEVICE inline Real copied_number(std::size_t i) {
  return static_cast<Real>(i % 1'048'573);
}

/// The start value of number i, in [2, 3).
template <class Real>
MACROBENCH_HOST_DEVICE inline Real first_number(std::size_t i) {
  return Real(2) + static_cast<Real>(i % 1'021) / Real(1'021);
}

/// What a solver returns: the array after the last pass, or the numbers after the last step.
template <class Real>
struct Solution {
  std::vector<Real> numbers;  ///< shape n

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    visit("numbers", self.numbers, {{"number", problem.numbers()}});
  }
};

}  // namespace macrobench::roofline
