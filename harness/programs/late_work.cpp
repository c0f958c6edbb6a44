#include "harness/programs/late_work.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/format.hpp"

namespace macrobench {

namespace {

constexpr double share = 0.1;           ///< of a solution, that may be left
constexpr double least_seconds = 0.02;  ///< in all, that noise is not
constexpr int most = 50;
/// A solution that takes longer is hidden by no noise.
constexpr double long_seconds = 5;

/// What the first write of a result may take beyond the second: it brings the result from a GPU, or
/// to its final type.
double of_the_first(double bytes) {
  return 5e-4 + bytes / 200e6;
}

/// What any write may take: an interpreter prints numbers one by one, or writes them so.
double of_any(const WriteUse& use) {
  return 5e-3 + (use.bytes - use.binary) / 1e6 + use.binary / 5e6;
}

}  // namespace

/// The CPU seconds of a program that waits for others are few, and so are the seconds of one whose
/// idle threads spin.
double LateWork::of(const WriteUse& use) const {
  return is_on_gpu_ ? use.seconds : std::min(use.seconds, use.cpu_seconds);
}

void LateWork::add(double solution, const WriteUse& first, const WriteUse& again) {
  ++count_;
  longest_solution_ = std::max(longest_solution_, solution);
  bytes_ = std::max(bytes_, first.bytes);
  const double beyond =
      is_on_gpu_ ? first.seconds - again.seconds
                 : std::min(first.seconds - again.seconds, first.cpu_seconds - again.cpu_seconds);
  beyond_second_ = std::min(beyond_second_, beyond - of_the_first(first.bytes));
  beyond_bytes_ = std::min(beyond_bytes_, of(again) - of_any(first));
  write_ = std::min(write_, first.seconds);
}

double LateWork::excess() const {
  const double more = std::max(beyond_second_, beyond_bytes_);
  return more > share * longest_solution_ ? more : 0;
}

bool LateWork::wants_more() const {
  return count_ == 0 || (excess() > 0 && count_ < most && why().empty());
}

/// As many as it takes until no noise makes each of them so much longer.
bool LateWork::is_enough() const {
  if (count_ > 0 && longest_solution_ >= long_seconds) return true;
  constexpr double fewest = 5;
  constexpr double enough = 20;
  constexpr double noise = 0.4;  // seconds, in all of them together
  return count_ >= std::clamp(noise / excess(), fewest, enough);
}

std::string LateWork::why() const {
  if (count_ * excess() <= least_seconds || !is_enough()) return {};
  const std::string beside =
      fmt::format("a write takes {} beside solutions of {}", format_duration(write_),
                  format_duration(longest_solution_));
  if (beyond_second_ >= beyond_bytes_) {
    return fmt::format(
        "it works on after its answer: {}, and the same write again {} less; answer when the "
        "result is complete (join threads, synchronize the GPU, block_until_ready)",
        beside, format_duration(beyond_second_));
  }
  return fmt::format(
      "it computes when it is to write: {}, for {} bytes; compute before the answer to solve, and "
      "start no process for a write",
      beside, with_separators(bytes_));
}

}  // namespace macrobench
