#pragma once

#include <vector>

namespace macrobench {

/// When to stop repeating: solvers of microseconds take many samples, solvers of many seconds few.
struct Sampling {
  double relative_spread = 0.02;  ///< stop when the median's relative standard error is below this
  int minimum = 3;                ///< solutions, the first included, that are always taken ...
  int maximum = 200;              ///< ... and never more than this
  double seconds = 0.5;           ///< take no further sample once so much time is spent
  int processes = 3;              ///< for implementations with a start-up of their own
};

/// A stopping criterion in the manner of NVBench's: feed it, ask it.
class StoppingCriterion {
 public:
  explicit StoppingCriterion(Sampling sampling) : sampling_(sampling) {}

  void add(double seconds);
  /// Enough samples, a small enough spread, or no time left. A solution longer than
  /// Sampling::seconds is enough by itself.
  [[nodiscard]] bool is_finished() const;

 private:
  Sampling sampling_;
  std::vector<double> samples_;
  double spent_ = 0;
};

}  // namespace macrobench
