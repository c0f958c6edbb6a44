#pragma once

// A panel simulated again, from its first cross-section.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

struct AllowedPathErrors {
  double K, wealth;
  double sample = 0;  ///< 0 if none was drawn
};

/// The differences between a solver's panel and the same panel simulated again.
struct PathErrors {
  Largest K;        ///< of the mean, relative; at a period
  Largest sample;   ///< of K from the mean of some agents, relative; where it is nearest to allowed
  Largest wealth;   ///< of an agent's wealth at the end, over K, or of a weight of the histogram
  Largest moments;  ///< moments_error() of the wealth at the end, if some agents were drawn
  AllowedPathErrors allowed;  ///< for K and the sample, in the period of their error
  std::int64_t count = 0;
  bool all = true;
};

/// Whether the problem's agents are a sample of kept_of().
inline bool is_sample(const Problem& problem) {
  return problem.group_stride > 1;
}

/// Simulates all steps if `thorough` or there are at most affordable_steps; else all agents in the
/// first periods, and some that are drawn to the end, whose mean is compared with K in each period.
/// K may be as far from it as chance takes it, which is five standard errors of that mean, and the
/// error is the one of the period in which these are most nearly used up. A problem that is a
/// sample itself has all its steps simulated, and its mean compared in the same way.
PathErrors path_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough,
                       std::mt19937_64& random);

}  // namespace macrobench::krusell_smith::certificate
