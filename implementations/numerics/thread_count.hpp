#pragma once

#include <omp.h>

namespace macrobench::numerics {

/// Sets the number of OpenMP threads while in scope, for code that takes it from the calling
/// thread, as Thrust does.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) { omp_set_num_threads(threads); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount() { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};

}  // namespace macrobench::numerics
