#pragma once

// What thrust.hpp does at one state where future capital is on a grid of its own, and V between the
// points of the capital grid is interpolated: an algorithm that the 2010 paper mentions in a
// sentence.

#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/one_state.hpp"

namespace macrobench::rbc {

template <class Real>
struct Expectation<Real, Maximizer::interpolated> {
  Expectation(int nk, int n_choices)
      : cells_per_choice(static_cast<Real>(nk - 1) / static_cast<Real>(n_choices - 1)) {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE Real operator()(const Real* P_row, const Real* V0, int nk,
                                                       int nz, int choice) const {
    // Both grids are uniform on the same interval, so positions follow from the index alone.
    const Real position = static_cast<Real>(choice) * cells_per_choice;
    const int cell = static_cast<int>(position);
    const int below = cell < nk - 2 ? cell : nk - 2;
    const Real weight = position - static_cast<Real>(below);
    return (Real(1) - weight) * expected_value(P_row, V0, nk, nz, below) +
           weight * expected_value(P_row, V0, nk, nz, below + 1);
  }

  Real cells_per_choice;  ///< cells of the capital grid between two choices
};

}  // namespace macrobench::rbc
