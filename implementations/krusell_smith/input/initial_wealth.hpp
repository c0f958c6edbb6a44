#pragma once

// Initial wealth if the user supplies none, agent by agent: the same bits on host and device.

#include <cstdint>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

inline constexpr double highest_initial_wealth = 71.9;

/// The n-th of numbers evenly spread between 0 and 1, in no order: a Weyl sequence.
MACROBENCH_HOST_DEVICE inline double evenly_spread(std::uint64_t n) {
  const std::uint64_t state = (n + 1) * 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  return static_cast<double>(state >> 11) * 0x1p-53;
}

/// Quantile `q` of 7, from the lowest to the highest.
struct WealthQuantile {
  double share, k;
};

MACROBENCH_HOST_DEVICE inline WealthQuantile wealth_quantile(int q) {
  constexpr WealthQuantile all[7] = {{0, 0},
                                     {0.05, 9.4},
                                     {0.25, 24.3},
                                     {0.5, 36.8},
                                     {0.75, 48.6},
                                     {0.95, 65.0},
                                     {1, highest_initial_wealth}};
  return all[q];
}

/// The wealth that this share of the agents does not exceed.
MACROBENCH_HOST_DEVICE inline double initial_quantile(double share) {
  int q = 1;
  while (q + 1 < 7 && share > wealth_quantile(q).share) ++q;
  const WealthQuantile low = wealth_quantile(q - 1);
  const WealthQuantile high = wealth_quantile(q);
  return low.k + (high.k - low.k) * (share - low.share) / (high.share - low.share);
}

/// Of an agent, counted from 0.
MACROBENCH_HOST_DEVICE inline double initial_wealth_of(std::uint64_t agent) {
  return initial_quantile(evenly_spread(agent));
}

}  // namespace macrobench::krusell_smith
