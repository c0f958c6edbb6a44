#pragma once

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The grids in arrays of the device.
template <class Array>
struct DeviceGrids {
  template <class Real>
  explicit DeviceGrids(const Grids<Real>& grids) : K(grids.K), Z(grids.Z), P(grids.P) {}

  Array K, Z, P;
};

}  // namespace macrobench::rbc
