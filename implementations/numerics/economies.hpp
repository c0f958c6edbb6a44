#pragma once

// A batch of economies: one problem, many calibrations, as an estimation solves them. What every
// model does alike: drawing, choosing those that are kept in full, and going through them.

#include <atomic>
#include <cstdint>
#include <exception>

#include "implementations/numerics/philox.hpp"

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
/// 1. Economy 0 is the paper's own.
inline double factor_of(std::int64_t draw, int economy, int parameter, double spread) {
  if (economy == 0) return 1;
  return 1 + spread * (2 * uniform_of(draw, DrawnFor::calibration, economy, parameter) - 1);
}

/// Of `economies`, the n-th of the `kept` that are kept in full: economy 0, and one at random of
/// each of as many ranges of equal length as are left.
inline int kept_in_full(std::int64_t draw, int economies, int kept, int n) {
  if (n == 0) return 0;
  const auto begin = [&](int range) {
    return 1 + static_cast<int>(std::int64_t{economies - 1} * range / (kept - 1));
  };
  const int first = begin(n - 1);
  const double within = uniform_of(draw, DrawnFor::kept_in_full, 0, n);
  return first + static_cast<int>(within * (begin(n) - first));
}

/// Calls work(economy) for all of them, on `threads` threads. Each has a worker of its own, which
/// make_worker() returns, so that it allocates once. The first exception is thrown again.
template <class MakeWorker>
void for_each_economy(int economies, int threads, const MakeWorker& make_worker) {
  std::atomic<int> next = 0;
  std::exception_ptr first;
#pragma omp parallel num_threads(threads)
  {
    try {
      auto work = make_worker();
      for (int economy = next++; economy < economies; economy = next++) work(economy);
    } catch (...) {
#pragma omp critical(macrobench_first_exception)
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace macrobench::numerics
