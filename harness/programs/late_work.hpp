#pragma once

// Work that a solver leaves to the time after its answer: a thread that goes on, a GPU that nobody
// waited for, or a `write` that computes. Each makes every write longer than its bytes explain.

#include <limits>
#include <string>

namespace macrobench {

/// What a program needed for a write.
struct WriteUse {
  double seconds = 0;
  double cpu_seconds = 0;  ///< since the look before it, of all its processes
  double bytes = 0;        ///< of the result
  double binary = 0;       ///< of these, the ones that are not text
};

class LateWork {
 public:
  /// A GPU's work costs no CPU seconds: its writes are measured by the clock alone.
  explicit LateWork(bool is_on_gpu) : is_on_gpu_(is_on_gpu) {}

  /// A solution's seconds, the write behind its answer, and the same write once more.
  void add(double solution, const WriteUse& first, const WriteUse& again);

  /// True while more of them can separate noise from work: noise makes one write longer, and work
  /// all.
  [[nodiscard]] bool wants_more() const;
  /// One sentence; empty if there is no such work, or there were too few writes to show it. Two
  /// writes of a long solution are enough.
  [[nodiscard]] std::string why() const;

 private:
  [[nodiscard]] double of(const WriteUse& use) const;
  [[nodiscard]] double excess() const;
  [[nodiscard]] bool is_enough() const;

  bool is_on_gpu_;
  int count_ = 0;
  double longest_solution_ = 0;
  // The least of all, which noise cannot raise.
  double beyond_second_ = std::numeric_limits<double>::infinity();
  double beyond_bytes_ = std::numeric_limits<double>::infinity();
  double write_ = std::numeric_limits<double>::infinity();
  double bytes_ = 0;
};

}  // namespace macrobench
