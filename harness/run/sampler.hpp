#pragma once

#include <vector>

namespace macrobench {

/// Seconds. More processes, each with its own start-up, are worth their time only while all so far
/// took less.
inline constexpr double longest_repeated_process = 1;

/// When to stop repeating: many samples for solvers of microseconds, few for solvers of many
/// seconds.
struct Sampling {
  double relative_spread = 0.02;  ///< stop when the median's relative standard error is below this
  int minimum = 3;                ///< solutions, the first included, that are always taken ...
  int maximum = 200;              ///< ... and never more than this
  double seconds = 0.5;           ///< take no further sample after this much time
  int processes = 3;              ///< for implementations with their own start-up
};

/// A stopping criterion in the manner of NVBench's: feed it, ask it.
class StoppingCriterion {
 public:
  explicit StoppingCriterion(Sampling sampling) : sampling_(sampling) {}

  void add(double seconds);
  /// Whether there are enough samples, a small enough spread, or no time left. A solution longer
  /// than Sampling::seconds is enough by itself.
  [[nodiscard]] bool is_finished() const;

 private:
  Sampling sampling_;
  std::vector<double> samples_;
  double spent_ = 0;
};

}  // namespace macrobench
