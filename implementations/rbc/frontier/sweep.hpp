#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::rbc {

/// The correction of all productivities after a Gauss-Seidel sweep.
struct SweepCorrection {
  std::vector<double> constants;  ///< to add to each productivity; empty if not found
  double left;                    ///< of the equations after that, to first order
};

/// A block's equation lacks what moved after the block was solved: of every later block, `change`,
/// a span of moves. Their middles can be corrected at once: (I - beta P) d = shortfall. P has shape
/// n x n for n productivities; is_later(l, j) says whether block l moved after block j was solved.
template <class Span, class IsLater>
SweepCorrection correction_after(const std::vector<Span>& change, double beta,
                                 const std::vector<double>& P, const IsLater& is_later) {
  const std::size_t n = change.size();
  std::vector<double> A(n * n);
  std::vector<double> d(n, 0.0);
  double left = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double uneven = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const double weight = beta * P[j * n + l];
      A[j * n + l] = (j == l ? 1 : 0) - weight;
      if (!is_later(l, j)) continue;
      d[j] += weight * static_cast<double>(change[l].middle());
      uneven += weight * static_cast<double>(change[l].half());
    }
    left = std::max(left, uneven);
  }
  if (!numerics::solve_linear(A, d)) d.clear();
  return {d, left};
}

}  // namespace macrobench::rbc
