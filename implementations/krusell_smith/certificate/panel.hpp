#pragma once

// A panel simulated again, from its first cross-section.

#include <cstdint>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

/// The differences between a solver's panel and the same panel simulated again.
struct PathErrors {
  Largest K;       ///< of the mean, relative; at a period
  Largest wealth;  ///< of an agent's wealth at the end, over K, or of a weight of the histogram
  std::int64_t count = 0;
  bool all = true;
};

struct AllowedPathErrors {
  double K, wealth;
};
AllowedPathErrors allowed_path_errors(const Problem& problem, PanelKind kind);

/// Of all steps if `thorough` or there are at most affordable_steps; else of the first periods, and
/// of some agents to the end.
PathErrors path_errors(const Problem& problem, const Equilibrium& equilibrium, bool thorough);

}  // namespace macrobench::krusell_smith::certificate
