#pragma once

// A period's choices if K is common to all agents. The policy's surfaces, collapsed along K, are
// lines over k; between two nodes such a line is a cubic. An agent needs the position of its wealth
// among the k_i, which is a root, and one cubic.

#include <cmath>
#include <cstdint>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/numerics/host_device.hpp"
#include "implementations/numerics/power.hpp"

namespace macrobench::krusell_smith {

/// Of 1, t, t^2 and t^3.
template <class Real>
struct Cubic {
  Real c[4];

  /// Catmull-Rom's, from the second node to the third.
  MACROBENCH_HOST_DEVICE static Cubic between(double c0, double c1, double c2, double c3) {
    return {{static_cast<Real>(c1), static_cast<Real>((c2 - c0) / 2),
             static_cast<Real>(c0 - 2.5 * c1 + 2 * c2 - c3 / 2),
             static_cast<Real>((c3 - c0) / 2 + 1.5 * (c1 - c2))}};
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE Real operator()(Real t) const {
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
  }
};

/// The four lines over k around an index x of K, and their weights.
struct LinesAround {
  int j;
  CatmullRom<double> weights;

  MACROBENCH_HOST_DEVICE explicit LinesAround(double x)
      : j(static_cast<int>(x)), weights(x - static_cast<int>(x)) {}

  /// The node at k_i of the line over k there, in state s.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double node(const Grids& grids, const double* policy, int s,
                                                   int i) const {
    double c[4];
    for (int m = 0; m < 4; ++m) c[m] = policy[grids.line(s, clamp_index(j + m - 1, grids.n_K)) + i];
    return weights(c[0], c[1], c[2], c[3]);
  }
};

/// The position of an agent's wealth among the k_i: a fraction t beyond the node `below`.
template <class Real>
struct Place {
  int below;
  Real t;
};

/// Finds positions: by a root if the grid's theta is 7, else by a power.
template <class Real, bool is_seventh>
class Places {
 public:
  MACROBENCH_HOST_DEVICE explicit Places(const Grids& grids)
      : scale_(static_cast<Real>(1 / grids.k_max)),
        power_(static_cast<Real>(1 / grids.theta)),
        last_(static_cast<Real>(grids.n_k - 1)) {}

  /// For 0 <= k <= k_max.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Place<Real> of(Real k) const {
    if constexpr (is_seventh) {
      return split(numerics::seventh_root(k * scale_) * last_);
    } else {
      using std::pow;
      return split(pow(k * scale_, power_) * last_);
    }
  }

 private:
  /// Adding 2^52 (2^23) rounds to a whole number, which is then in the lowest bits.
  MACROBENCH_HOST_DEVICE static Place<Real> split(Real y) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Real) == sizeof(double)) {
      const double shifted = __dadd_rd(y, 0x1p52);
      return {__double2loint(shifted), y - (shifted - 0x1p52)};
    } else {
      const float shifted = __fadd_rd(y, 0x1p23F);
      return {__float_as_int(shifted) - __float_as_int(0x1p23F), y - (shifted - 0x1p23F)};
    }
#else
    const int below = static_cast<int>(y);
    return {below, y - static_cast<Real>(below)};
#endif
  }

  Real scale_, power_, last_;
};

}  // namespace macrobench::krusell_smith
