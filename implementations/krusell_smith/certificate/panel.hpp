#pragma once

// A panel simulated again, from its first cross-section.

#include <cstdint>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

struct AllowedPathErrors {
  double K, wealth;
};

/// The differences between a solver's panel and the same panel simulated again.
struct PathErrors {
  Largest K;       ///< of the mean, relative; at a period
  Largest wealth;  ///< of an agent's wealth at the end, over K, or of a weight of the histogram
  AllowedPathErrors allowed;  ///< for K, in the period of its error
  std::int64_t count = 0;
  bool all = true;
};

/// Whether the problem's agents are a sample of kept_of().
inline bool is_sample(const Problem& problem) {
  return problem.group_stride > 1;
}

/// Of all steps if `thorough` or there are at most affordable_steps; else of the first periods, and
/// of some agents to the end. Of a sample always all steps: K may be as far from the sample's mean
/// as chance takes it, which is five of that mean's standard errors, and the error is the one of
/// the period in which these are most nearly used up.
PathErrors path_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough);

}  // namespace macrobench::krusell_smith::certificate
