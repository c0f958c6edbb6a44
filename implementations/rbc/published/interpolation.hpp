#pragma once

#include <cstddef>
#include <vector>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::rbc {

/// The position of a point on a grid: between `index` and `index + 1`, at `weight` of the way.
template <class Real>
struct Bracket {
  int index;
  Real weight;
};

/// The bracket of `point` on a uniform ascending grid of n >= 2 points; beyond an end, the end.
template <class Real>
MACROBENCH_HOST_DEVICE inline Bracket<Real> bracket(Real point, const Real* grid, int n) {
  const Real position = (point - grid[0]) / (grid[n - 1] - grid[0]) * static_cast<Real>(n - 1);
  if (!(position > 0)) return {0, Real(0)};
  int index = static_cast<int>(position);
  if (index > n - 2) index = n - 2;
  const Real weight = position - static_cast<Real>(index);
  return {index, weight < 1 ? weight : Real(1)};
}

/// A bracket for each point.
template <class Real>
std::vector<Bracket<Real>> bracket_all(const std::vector<Real>& points,
                                       const std::vector<Real>& grid) {
  std::vector<Bracket<Real>> brackets;
  brackets.reserve(points.size());
  for (const Real point : points) {
    brackets.push_back(bracket(point, grid.data(), static_cast<int>(grid.size())));
  }
  return brackets;
}

}  // namespace macrobench::rbc
