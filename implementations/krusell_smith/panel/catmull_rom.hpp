#pragma once

// Catmull-Rom interpolation of a policy in grid-index space (Algorithms 2 and A.2 of Hatcher and
// Scheffel 2014). Beyond the grid its edge nodes repeat, as a texture clamps.

#include <cmath>
#include <cstddef>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

/// The weights of the four nodes around a point that is a fraction x beyond the second.
template <class Real>
struct CatmullRom {
  Real weight[4];

  MACROBENCH_HOST_DEVICE explicit CatmullRom(Real x)
      : weight{x * (Real(-0.5) + x * (1 - Real(0.5) * x)), 1 + x * x * (Real(-2.5) + Real(1.5) * x),
               x * (Real(0.5) + x * (2 - Real(1.5) * x)), x * x * (Real(-0.5) + Real(0.5) * x)} {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE Real operator()(Real c0, Real c1, Real c2, Real c3) const {
    return c0 * weight[0] + c1 * weight[1] + c2 * weight[2] + c3 * weight[3];
  }
};

/// i within 0 .. n - 1.
MACROBENCH_HOST_DEVICE inline int clamp_index(int i, int n) {
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/// k' at indices x of K and y of k, both from 0; `surface` is the policy of one state, shape
/// n_K x n_k.
template <class Real>
MACROBENCH_HOST_DEVICE Real interpolate_surface(const Grids& grids, const Real* surface, Real x,
                                                Real y) {
  using std::floor;
  const Real px = floor(x);
  const Real py = floor(y);
  const CatmullRom<Real> in_K(x - px);
  const CatmullRom<Real> in_k(y - py);
  const int j = static_cast<int>(px);
  const int i = static_cast<int>(py);
  Real along_K[4];
  for (int n = 0; n < 4; ++n) {
    const int row = clamp_index(i + n - 1, grids.n_k);
    Real c[4];
    for (int m = 0; m < 4; ++m) {
      c[m] =
          surface[static_cast<std::ptrdiff_t>(clamp_index(j + m - 1, grids.n_K)) * grids.n_k + row];
    }
    along_K[n] = in_K(c[0], c[1], c[2], c[3]);
  }
  return in_k(along_K[0], along_K[1], along_K[2], along_K[3]);
}

}  // namespace macrobench::krusell_smith
