#pragma once

#include <sys/resource.h>

#include <ctime>

namespace macrobench {

/// Looks at this thread from its construction on.
class ThreadWatch {
 public:
  ThreadWatch() : wall_(seconds_of(CLOCK_MONOTONIC)), cpu_(own_seconds()), waits_(waits()) {}

  /// The seconds for which it was ready to run and no core ran it, as under a quota; 0 if it waited
  /// for anything meanwhile, since nobody knows for how long.
  [[nodiscard]] double kept_off() const {
    if (waits() != waits_) return 0;
    return seconds_of(CLOCK_MONOTONIC) - wall_ - (own_seconds() - cpu_);
  }

 private:
  static double seconds_of(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  static double own_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
  static long waits() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
  }

  double wall_, cpu_;
  long waits_;
};

}  // namespace macrobench
