#pragma once

// A period's choices if K is common to all agents. The policy's surfaces, collapsed along K, are
// lines over k; between two nodes such a line is a cubic. An agent needs the position of its wealth
// among the k_i, which is a root, and one cubic.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/numerics/methods/not_a_knot_spline.hpp"
#include "implementations/numerics/methods/power.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

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

  /// Of k itself: the straight line from (k0, y0) to y1 at a distance of 1 / per_h.
  MACROBENCH_HOST_DEVICE static Cubic line(double k0, double per_h, double y0, double y1) {
    const double slope = (y1 - y0) * per_h;
    return {{static_cast<Real>(y0 - slope * k0), static_cast<Real>(slope), 0, 0}};
  }

  /// Of the distance from the first of two nodes h = 1 / per_h apart: a spline with second
  /// derivatives m there.
  MACROBENCH_HOST_DEVICE static Cubic spline(double h, double per_h, double y0, double y1,
                                             double m0, double m1) {
    return {{static_cast<Real>(y0), static_cast<Real>((y1 - y0) * per_h - h * (2 * m0 + m1) / 6),
             static_cast<Real>(m0 / 2), static_cast<Real>((m1 - m0) * per_h / 6)}};
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

/// How many numbers with_bends() has.
inline std::size_t size_with_bends(const Grids& grids, PanelInterpolation interpolation) {
  return (interpolation == PanelInterpolation::spline ? 4 : 1) * grids.size();
}

/// Writes all that a panel which interpolates in k and K itself needs of a policy: the policy, and
/// for splines its second derivatives along K, those along k, and the second derivatives along K of
/// these; each of the policy's shape. Splines in two directions commute.
inline void put_with_bends(const Grids& grids, PanelInterpolation interpolation,
                           const std::vector<double>& policy, double* all) {
  std::ranges::copy(policy, all);
  if (interpolation != PanelInterpolation::spline) return;
  const std::size_t size = grids.size();
  const numerics::NotAKnotSpline in_k(k_points(grids));
  const numerics::NotAKnotSpline in_K(K_points(grids));
  for (int s = 0; s < states; ++s) {
    double* const of_state = all + grids.line(s, 0);
    in_K.curvature(of_state, grids.n_k, of_state + size);
    for (int j = 0; j < grids.n_K; ++j) {
      double* const line = all + grids.line(s, j);
      in_k.curvature(line, 1, line + 2 * size);
    }
    in_K.curvature(of_state + 2 * size, grids.n_k, of_state + 3 * size);
  }
}
/// Returns the same.
inline std::vector<double> with_bends(const Grids& grids, PanelInterpolation interpolation,
                                      const std::vector<double>& policy) {
  std::vector<double> all(size_with_bends(grids, interpolation));
  put_with_bends(grids, interpolation, policy, all.data());
  return all;
}

/// The line over k at an index x of K, interpolated in K itself, of a policy with_bends().
struct LineInK {
  int j;
  numerics::NotAKnotSpline::Weights weights;
  std::ptrdiff_t size;  ///< of the policy

  /// Of splines over points of K that are `step` apart, or straight if that is 0.
  MACROBENCH_HOST_DEVICE LineInK(const Grids& grids, double x, double step)
      : j(static_cast<int>(x) < grids.n_K - 2 ? static_cast<int>(x) : grids.n_K - 2),
        weights{},
        size(static_cast<std::ptrdiff_t>(states) * grids.n_K * grids.n_k) {
    weights.right = x - j;
    weights.left = 1 - weights.right;
    const double sixth = step * step / 6;
    weights.bend_left = (weights.left * weights.left - 1) * weights.left * sixth;
    weights.bend_right = (weights.right * weights.right - 1) * weights.right * sixth;
  }

  /// The node at k_i in state s.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double node(const Grids& grids, const double* policy, int s,
                                                   int i) const {
    return at(policy + grids.line(s, j) + i, grids.n_k);
  }
  /// Of a spline, its second derivative along k there.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double bend(const Grids& grids, const double* policy, int s,
                                                   int i) const {
    return at(policy + 2 * size + grids.line(s, j) + i, grids.n_k);
  }

 private:
  [[nodiscard]] MACROBENCH_HOST_DEVICE double at(const double* y, int n_k) const {
    const double straight = weights.left * y[0] + weights.right * y[n_k];
    if (weights.bend_left == 0 && weights.bend_right == 0) return straight;
    return straight + weights.bend_left * y[size] + weights.bend_right * y[size + n_k];
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
