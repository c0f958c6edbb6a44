#pragma once

// A place where threads meet many thousand times a second.

#include <atomic>
#include <chrono>

namespace macrobench::numerics {

/// Each thread polls for about as long as it takes to put one to sleep and wake it, and sleeps
/// only then. std::barrier sleeps so soon that waking costs more than a short period's work;
/// OpenMP's polls for milliseconds, which beside other work can cost a hundred times as much
/// (docs/variance.md).
class Barrier {
 public:
  /// For `threads` of at least 1.
  explicit Barrier(int threads) : threads_(threads) {}

  /// Returns once all threads have called it. What they wrote before is seen by all.
  void arrive_and_wait() {
    const int round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (std::chrono::steady_clock::now() < deadline) {
      if (round_.load(std::memory_order_acquire) != round) return;
    }
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  static constexpr int cache_line = 64;  ///< bytes

  const int threads_;
  alignas(cache_line) std::atomic<int> arrived_ = 0;
  alignas(cache_line) std::atomic<int> round_ = 0;  ///< wraps around; only compared with the last
};

}  // namespace macrobench::numerics
