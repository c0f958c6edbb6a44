#pragma once

#include "harness/model/registry.hpp"

namespace macrobench {

/// What one solution for a profiler came to.
struct Profiled {
  double seconds = 0;  ///< of the solution, with the profiler's own cost in it
  Outcome outcome;
};

/// Solves the case once, in this very process and without timing it again, so that a profiler sees
/// nothing else. Start-up, the solution and its stages are NVTX ranges: "start", "solution", and
/// within this each stage's name. A build without CUDA has no such ranges.
Profiled solve_for_profiler(const Case& which, bool thorough);

}  // namespace macrobench
