#pragma once

// The choices of eight agents at a time, by vector instructions. K is common to all agents, so each
// period's two surfaces are collapsed along K to two lines over k, once, and these to one cubic per
// interval: an agent reads one of these cubics instead of 16 nodes. The rest of an agent's step is
// to locate its wealth among the k_i, a seventh root.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "implementations/krusell_smith/frontier/collapsed.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/numerics/methods/not_a_knot_spline.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::krusell_smith {

inline constexpr int lanes = 8;

/// Agents next to each other.
using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
using Words = std::uint64_t __attribute__((vector_size(lanes * sizeof(std::uint64_t))));
/// Half as many numbers: a cubic's coefficients.
using Quad = double __attribute__((vector_size(4 * sizeof(double))));

/// A cubic in one cache line.
struct alignas(sizeof(Quad)) AlignedCubic {
  Cubic<double> of;
};

/// Those of two cubics, side by side.
MACROBENCH_ALWAYS_INLINE inline void load(Lanes& pair, const AlignedCubic& left,
                                          const AlignedCubic& right) {
  Quad a;
  Quad b;
  std::memcpy(&a, left.of.c, sizeof a);
  std::memcpy(&b, right.of.c, sizeof b);
  pair = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// x^(1/7) to two units in the last place, for 0 <= x <= 1; 0 gives almost 0.
MACROBENCH_ALWAYS_INLINE inline void seventh_root(Lanes& x) {
  constexpr double magic = 0x1p52;
  constexpr std::uint64_t magic_bits = 0x4330000000000000;
  constexpr double seventh = 1.0 / 7;
  x = x > 1e-280 ? x : 1e-280 - Lanes{};
  // A power of x is nearly linear in the bits of a double's upper half, read as a whole number.
  constexpr double one = 1072693248;  // those of 1
  constexpr double from_line = 1072693248 - 63000;
  const Lanes upper = reinterpret_cast<Lanes>(reinterpret_cast<Words>(x) >> 32 | magic_bits);
  const Lanes guess = (upper - magic) * -seventh + (from_line + one * seventh + magic);
  Lanes z = reinterpret_cast<Lanes>(reinterpret_cast<Words>(guess) << 32);  // x^(-1/7)
  Lanes z2 = z * z;
  Lanes z4 = z2 * z2;
  Lanes h = 1 - (x * z) * (z2 * z4);
  // z (1 - h)^(-1/7) and then x z^6 (1 - h)^(-6/7), by the binomial series.
  z += z * h * (1.0 / 7 + h * (4.0 / 49 + h * (20.0 / 343 + h * (110.0 / 2401))));
  z2 = z * z;
  z4 = z2 * z2;
  x *= z2 * z4;
  h = 1 - x * z;
  x += x * h * (6.0 / 7 + h * (39.0 / 49 + h * (260.0 / 343)));
}

/// What the agents of a period choose, by employment: a cubic for each interval of k. Catmull-Rom's
/// is in the position between two nodes, as a grid's index counts, the others are in k itself, from
/// the lower node.
class Lines {
 public:
  /// `policy` of shape 4 x n_K x n_k outlives it.
  Lines(const Grids& grids, PanelInterpolation interpolation, const std::vector<double>& policy)
      : grids_(grids),
        interpolation_(interpolation),
        policy_(policy),
        nodes_(size(grids_.n_k)),
        cubics_(2 * size(grids_.n_k)) {
    if (interpolation_ != PanelInterpolation::spline) return;
    in_k_.emplace(k_points(grids_));
    in_K_.emplace(K_points(grids_));
    curvature_.resize(nodes_.size());
    curvature_in_K_.resize(policy.size());
    for (int s = 0; s < states; ++s) {
      in_K_->curvature(policy.data() + grids_.line(s, 0), grids_.n_k,
                       curvature_in_K_.data() + grids_.line(s, 0));
    }
  }

  /// At one K and one aggregate state.
  void collapse(int a, double K) {
    for (const int e : {unemployed, employed}) {
      AlignedCubic* cubics = cubics_.data() + std::ptrdiff_t{e} * grids_.n_k;
      switch (interpolation_) {
        case PanelInterpolation::catmull_rom:
          collapse_by_catmull_rom(state_of(a, e), K, cubics);
          break;
        case PanelInterpolation::linear:
          collapse_by_lines(state_of(a, e), K, cubics);
          break;
        case PanelInterpolation::spline:
          collapse_by_splines(state_of(a, e), K, cubics);
          break;
      }
    }
  }

  /// Replaces eight agents' wealth by their choices. `bits` is their employment; `outside` grows by
  /// the number of choices that had to be clipped.
  template <bool seventh, bool in_index>
  MACROBENCH_ALWAYS_INLINE void choose(Lanes& k, std::uint8_t bits, Words& outside) const {
    constexpr double rounder = 0x1.8p52;
    constexpr Words shifts = {7, 6, 5, 4, 3, 2, 1, 0};
    Lanes place = k * (1 / grids_.k_max);
    if constexpr (seventh) {
      seventh_root(place);
    } else {
      for (int l = 0; l < lanes; ++l) place[l] = std::pow(place[l], 1 / grids_.theta);
    }
    place *= grids_.n_k - 1;
    // The interval below: on a node both are right.
    const Lanes shifted = (place - 0.5) + rounder;
    Lanes t = place - (shifted - rounder);
    if constexpr (!in_index) {
      Lanes node = (shifted - rounder) * (1.0 / (grids_.n_k - 1));
      if constexpr (seventh) {
        const Lanes squared = node * node;
        node *= squared * squared * squared;
      } else {
        for (int l = 0; l < lanes; ++l) node[l] = std::pow(node[l], grids_.theta);
      }
      t = k - node * grids_.k_max;
    }
    const Words is_employed = (std::uint64_t{bits} + Words{}) >> shifts & 1;
    const Words row = (reinterpret_cast<Words>(shifted) & 0xFFFFFFFF) +
                      (-is_employed & static_cast<std::uint64_t>(grids_.n_k));

    const AlignedCubic* c = cubics_.data();
    Lanes c04;
    Lanes c15;
    Lanes c26;
    Lanes c37;
    load(c04, c[row[0]], c[row[4]]);
    load(c15, c[row[1]], c[row[5]]);
    load(c26, c[row[2]], c[row[6]]);
    load(c37, c[row[3]], c[row[7]]);
    const Lanes low_01 = __builtin_shufflevector(c04, c15, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes high_01 = __builtin_shufflevector(c04, c15, 1, 9, 3, 11, 5, 13, 7, 15);
    const Lanes low_23 = __builtin_shufflevector(c26, c37, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes high_23 = __builtin_shufflevector(c26, c37, 1, 9, 3, 11, 5, 13, 7, 15);
    const Lanes c_0 = __builtin_shufflevector(low_01, low_23, 0, 1, 8, 9, 4, 5, 12, 13);
    const Lanes c_1 = __builtin_shufflevector(high_01, high_23, 0, 1, 8, 9, 4, 5, 12, 13);
    const Lanes c_2 = __builtin_shufflevector(low_01, low_23, 2, 3, 10, 11, 6, 7, 14, 15);
    const Lanes c_3 = __builtin_shufflevector(high_01, high_23, 2, 3, 10, 11, 6, 7, 14, 15);

    const Lanes chosen = ((c_3 * t + c_2) * t + c_1) * t + c_0;
    const Lanes most = grids_.k_max - Lanes{};
    k = chosen > 0 ? chosen : Lanes{};
    k = k < most ? k : most;
    outside -= reinterpret_cast<Words>(k != chosen);
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  void collapse_by_catmull_rom(int s, double K, AlignedCubic* cubics) {
    const double x = grids_.index_of_K(K);
    const int j = static_cast<int>(x);
    const CatmullRom<double> weights(x - j);
    const double* rows[4];
    for (int m = 0; m < 4; ++m) {
      rows[m] = policy_.data() + grids_.line(s, clamp_index(j + m - 1, grids_.n_K));
    }
    for (int i = 0; i < grids_.n_k; ++i) {
      nodes_[size(i)] = weights(rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
    }
    const auto node = [&](int i) { return nodes_[size(clamp_index(i, grids_.n_k))]; };
    for (int i = 0; i < grids_.n_k; ++i) {
      cubics[i].of = Cubic<double>::between(node(i - 1), node(i), node(i + 1), node(i + 2));
    }
  }

  void collapse_by_lines(int s, double K, AlignedCubic* cubics) {
    const double x = grids_.index_of_K(K);
    const int j = std::min(static_cast<int>(x), grids_.n_K - 2);
    const double* low = policy_.data() + grids_.line(s, j);
    const double* high = policy_.data() + grids_.line(s, j + 1);
    for (int i = 0; i < grids_.n_k; ++i) nodes_[size(i)] = low[i] + (x - j) * (high[i] - low[i]);
    for (int i = 0; i < grids_.n_k; ++i) {
      const int left = std::min(i, grids_.n_k - 2);
      const double rise = nodes_[size(left + 1)] - nodes_[size(left)];
      cubics[i].of = {{nodes_[size(i)], rise / (grids_.k(left + 1) - grids_.k(left)), 0, 0}};
    }
  }

  void collapse_by_splines(int s, double K, AlignedCubic* cubics) {
    const int j = in_K_->interval(K, 0);
    const auto at = in_K_->weights(K, j);
    const double* y = policy_.data() + grids_.line(s, j);
    const double* bend = curvature_in_K_.data() + grids_.line(s, j);
    for (int i = 0; i < grids_.n_k; ++i) {
      nodes_[size(i)] = at.left * y[i] + at.right * y[i + grids_.n_k] + at.bend_left * bend[i] +
                        at.bend_right * bend[i + grids_.n_k];
    }
    in_k_->curvature(nodes_.data(), 1, curvature_.data());
    for (int i = 0; i + 1 < grids_.n_k; ++i) {
      const double h = in_k_->points()[size(i + 1)] - in_k_->points()[size(i)];
      const double left = curvature_[size(i)];
      const double right = curvature_[size(i + 1)];
      cubics[i].of = {{nodes_[size(i)],
                       (nodes_[size(i + 1)] - nodes_[size(i)]) / h - h * (2 * left + right) / 6,
                       left / 2, (right - left) / (6 * h)}};
    }
    // Only k_max is there.
    cubics[grids_.n_k - 1].of = {{nodes_.back(), 0, 0, 0}};
  }

  Grids grids_;
  PanelInterpolation interpolation_;
  const std::vector<double>& policy_;
  std::optional<numerics::NotAKnotSpline> in_k_, in_K_;
  std::vector<double> curvature_in_K_;  ///< of the policy along K, as its shape
  std::vector<double> nodes_, curvature_;
  std::vector<AlignedCubic> cubics_;  ///< of each interval, shape 2 x n_k
};

}  // namespace macrobench::krusell_smith
