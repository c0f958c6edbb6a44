#pragma once

// A batch of economies: one problem, many calibrations, as an estimation solves them. What every
// model does alike: drawing, and choosing those that are kept in full.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "implementations/numerics/methods/philox.hpp"

namespace macrobench::numerics {

/// What a draw is for: no two uses see the same numbers.
enum class DrawnFor : std::uint32_t { calibration, state, kept_in_full };

/// The number of this economy and this place (a parameter, a state) under a draw: uniform in
/// [0, 1), by Philox, so that it depends on nothing else.
inline double uniform_of(std::int64_t draw, DrawnFor use, int economy, int place) {
  const Random128 random =
      philox({{static_cast<std::uint32_t>(economy), static_cast<std::uint32_t>(place),
               static_cast<std::uint32_t>(use), 0x65636f6e}},
             static_cast<std::uint64_t>(draw));
  const std::uint64_t bits = std::uint64_t{random.word[0]} << 32 | random.word[1];
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// The factor by which an economy's parameter differs from the paper's: uniform within `spread` of
/// 1.
inline double factor_of(std::int64_t draw, int economy, int parameter, double spread) {
  return 1 + spread * (2 * uniform_of(draw, DrawnFor::calibration, economy, parameter) - 1);
}

/// The economies of a batch that are kept in full: economy 0, and one at random of each of as many
/// ranges of equal length as there are others to keep.
struct KeptInFull {
  std::int64_t draw;
  int economies;
  int count;  ///< of them, from 1 to economies

  /// At most so many of the problem's economies, and one at least.
  template <class Problem>
  static KeptInFull at_most(std::size_t most, const Problem& problem) {
    const auto economies = static_cast<std::size_t>(problem.economies);
    return {problem.draw, problem.economies,
            static_cast<int>(std::clamp<std::size_t>(most, 1, economies))};
  }

  /// The n-th of them; they rise with n.
  [[nodiscard]] int economy(int n) const {
    if (n == 0) return 0;
    const auto begin = [&](int range) {
      return 1 + static_cast<int>(std::int64_t{economies - 1} * range / (count - 1));
    };
    const int first = begin(n - 1);
    const double within = uniform_of(draw, DrawnFor::kept_in_full, 0, n);
    return first + static_cast<int>(within * (begin(n) - first));
  }

  /// Which of them an economy is, or -1 if it is none.
  [[nodiscard]] int place(int which) const {
    int first = 0;
    for (int end = count; end - first > 1;) {
      const int middle = (first + end) / 2;
      (economy(middle) <= which ? first : end) = middle;
    }
    return economy(first) == which ? first : -1;
  }
};

}  // namespace macrobench::numerics
