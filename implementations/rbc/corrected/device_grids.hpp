#pragma once

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The grids in arrays of the device.
template <class Array>
struct DeviceGrids {
  template <class Real>
  DeviceGrids(const Problem& problem, const Grids<Real>& grids)
      : K(grids.K),
        Z(grids.Z),
        P(grids.P),
        choices(problem.maximizer == Maximizer::interpolated ? future_grid<Real>(problem)
                                                             : grids.K) {}

  Array K, Z, P, choices;
};

}  // namespace macrobench::rbc
