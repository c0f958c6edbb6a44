#pragma once

#include <vector>

namespace macrobench::numerics {

/// A finite Markov chain: `values[i]` is the level in state i and `transition[i * n + j]` the
/// probability of moving from i to j. Rows sum to one.
struct MarkovChain {
  std::vector<double> values;      ///< shape n
  std::vector<double> transition;  ///< shape n x n, row-major

  [[nodiscard]] int size() const { return static_cast<int>(values.size()); }
};

/// Tauchen (1986): an n-state chain for x' = rho x + e, e ~ N(0, sigma^2).
///
/// The values are equally spaced over `half_width` stationary standard deviations on either side
/// of zero. The last column of the transition matrix is one minus the rest of its row.
/// Throws std::invalid_argument unless n >= 2, |rho| < 1, sigma > 0 and half_width > 0.
MarkovChain tauchen(int n, double rho, double sigma, double half_width);

}  // namespace macrobench::numerics
