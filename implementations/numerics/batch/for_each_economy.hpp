#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

namespace macrobench::numerics {

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

/// Calls work(n) for n below `count`, on `threads` threads; for one on this thread.
template <class Work>
void for_each_of(std::size_t count, int threads, const Work& work) {
  for_each_economy(static_cast<int>(count), count > 1 ? threads : 1,
                   [&] { return [&](int n) { work(static_cast<std::size_t>(n)); }; });
}

}  // namespace macrobench::numerics
