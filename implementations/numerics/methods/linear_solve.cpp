#include "implementations/numerics/methods/linear_solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::numerics {

namespace {

bool eliminate(double* A, double* b, std::size_t n) {
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot + 1; row < n; ++row) {
      if (std::abs(A[row * n + pivot]) > std::abs(A[best * n + pivot])) best = row;
    }
    if (!(std::abs(A[best * n + pivot]) > 0)) return false;
    if (best != pivot) {
      std::swap_ranges(A + pivot * n + pivot, A + pivot * n + n, A + best * n + pivot);
      std::swap(b[pivot], b[best]);
    }
    const double inverse = 1 / A[pivot * n + pivot];
    const double* from = A + pivot * n;
    with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      for (std::size_t row = pivot + 1; row < n; ++row) {
        double* to = A + row * n;
        const double factor = to[pivot] * inverse;
        if (factor == 0) continue;
        for (std::size_t column = pivot + 1; column < n; ++column) {
          to[column] -= factor * from[column];
        }
        b[row] -= factor * b[pivot];
      }
    });
  }
  for (std::size_t row = n; row-- > 0;) {
    double sum = b[row];
    for (std::size_t column = row + 1; column < n; ++column) sum -= A[row * n + column] * b[column];
    b[row] = sum / A[row * n + row];
  }
  return true;
}

}  // namespace

bool solve_linear(std::vector<double>& A, std::vector<double>& b) {
  return eliminate(A.data(), b.data(), b.size());
}

}  // namespace macrobench::numerics
