#pragma once

// What the certificate needs of the economy, written again here instead of taken from the solvers'
// functions.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

inline std::size_t index(std::ptrdiff_t i) {
  return static_cast<std::size_t>(i);
}

/// k' at (s, K_j, k_i).
inline double node(const Problem& problem, const std::vector<double>& policy, int s, int j, int i) {
  return policy[(index(s) * index(problem.grids.n_K) + index(j)) * index(problem.grids.n_k) +
                index(i)];
}

/// Whether agent i is employed in period t.
inline bool works(const Shocks& shocks, int i, int t) {
  return (shocks.bits[index(t) * shocks.stride + index(i >> 3)] & (128 >> (i & 7))) != 0;
}

/// Incomes in one period.
struct Market {
  double gross_return;
  double income[2];  ///< by employment
};

inline Market market(const Calibration& c, int a, double K) {
  const double z = a == good ? 1 + c.delta_a : 1 - c.delta_a;
  const double u = a == good ? c.u_good : c.u_bad;
  const double labour = c.lbar * (1 - u);
  const double r = c.alpha * z * std::pow(K / labour, c.alpha - 1);
  const double w = (1 - c.alpha) * z * std::pow(K / labour, c.alpha);
  const double tau = c.mu * u / labour;
  return {1 + r - c.delta, {c.mu * w, w * c.lbar * (1 - tau)}};
}

/// Tomorrow's K as households expect it, on the grid.
inline double perceived(const Problem& problem, const LawOfMotion& law, int a, double K) {
  const double next = std::exp(law.b0[a]) * std::pow(K, law.b1[a]);
  return std::clamp(next, problem.grids.K_min, problem.grids.K_max);
}

inline double mean_of(const std::vector<double>& values) {
  const long double sum = std::accumulate(values.begin(), values.end(), 0.0L);
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

/// The largest of the errors seen, and where it was. NaN counts as larger than any number.
struct Largest {
  double error = 0;
  std::size_t at = 0;

  void see(double other, std::size_t where) {
    if (std::isnan(error) || other <= error) return;
    error = other;
    at = where;
  }
};

}  // namespace macrobench::krusell_smith::certificate
