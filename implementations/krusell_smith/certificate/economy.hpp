#pragma once

// What the certificate needs of the economy, written again here instead of taken from the solvers'
// functions.

#include <cmath>
#include <cstddef>
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

Market market(const Calibration& c, int a, double K);

/// Tomorrow's K as households expect it, on the grid.
double perceived(const Problem& problem, const LawOfMotion& law, int a, double K);

double mean_of(const std::vector<double>& values);

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
