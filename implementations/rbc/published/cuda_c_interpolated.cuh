#pragma once

// The choices of cuda_c.cu where future capital is on a grid of its own, and V between the points
// of the capital grid is interpolated: an algorithm that the 2010 paper mentions in a sentence.

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

template <class Real>
struct FutureGrid {
  FutureGrid(const Real* points, const Problem& problem)
      : at(points),
        count(problem.future_points),
        cells_per_choice(static_cast<Real>(problem.nk - 1) /
                         static_cast<Real>(problem.future_points - 1)) {}

  __device__ Real expectation(const Real* P_row, const Real* V0, int nk, int nz, int choice) const {
    // Both grids are uniform on the same interval, so positions follow from the index alone.
    const Real position = static_cast<Real>(choice) * cells_per_choice;
    const int cell = static_cast<int>(position);
    const int below = cell < nk - 2 ? cell : nk - 2;
    const Real weight = position - static_cast<Real>(below);
    const Real* V = V0 + below * nz;
    Real sum = 0;
    for (int l = 0; l < nz; ++l) {
      sum += P_row[l] * ((Real(1) - weight) * V[l] + weight * V[l + nz]);
    }
    return sum;
  }

  const Real* at;
  int count;
  Real cells_per_choice;  ///< cells of the capital grid between two choices
};

}  // namespace macrobench::rbc
