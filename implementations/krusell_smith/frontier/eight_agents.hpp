#pragma once

// The choices of eight agents at a time, by vector instructions, or of four where a vector holds no
// more. K is common to all agents, so each period's two surfaces are collapsed along K to two lines
// over k, once, and these to one cubic per interval: an agent reads one of these cubics instead of
// 16 nodes. The rest of an agent's step is to locate its wealth among the k_i, a seventh root.

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

/// Neighboring agents, one to a lane of the processor's vectors: eight, or four twice.
template <int lanes>
struct Vectors;
template <>
struct Vectors<4> {
  using Numbers = double __attribute__((vector_size(32)));
  using Words = std::uint64_t __attribute__((vector_size(32)));
};
template <>
struct Vectors<8> {
  using Numbers = double __attribute__((vector_size(64)));
  using Words = std::uint64_t __attribute__((vector_size(64)));
};
using Four = Vectors<4>;
using Eight = Vectors<8>;

/// A cubic in one cache line.
struct alignas(sizeof(Four::Numbers)) AlignedCubic {
  Cubic<double> of;
};

MACROBENCH_ALWAYS_INLINE inline void load(Four::Numbers& coefficients, const AlignedCubic& cubic) {
  std::memcpy(&coefficients, cubic.of.c, sizeof coefficients);
}

/// The coefficients of two cubics, side by side.
MACROBENCH_ALWAYS_INLINE inline void load(Eight::Numbers& pair, const AlignedCubic& left,
                                          const AlignedCubic& right) {
  Four::Numbers a;
  Four::Numbers b;
  load(a, left);
  load(b, right);
  pair = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Each agent's coefficients, by power: c_m[l] is that of t^m in the cubic at row[l].
MACROBENCH_ALWAYS_INLINE inline void transpose(const AlignedCubic* c, const Eight::Words& row,
                                               Eight::Numbers& c_0, Eight::Numbers& c_1,
                                               Eight::Numbers& c_2, Eight::Numbers& c_3) {
  using Numbers = Eight::Numbers;
  Numbers c04;
  Numbers c15;
  Numbers c26;
  Numbers c37;
  load(c04, c[row[0]], c[row[4]]);
  load(c15, c[row[1]], c[row[5]]);
  load(c26, c[row[2]], c[row[6]]);
  load(c37, c[row[3]], c[row[7]]);
  const Numbers low_01 = __builtin_shufflevector(c04, c15, 0, 8, 2, 10, 4, 12, 6, 14);
  const Numbers high_01 = __builtin_shufflevector(c04, c15, 1, 9, 3, 11, 5, 13, 7, 15);
  const Numbers low_23 = __builtin_shufflevector(c26, c37, 0, 8, 2, 10, 4, 12, 6, 14);
  const Numbers high_23 = __builtin_shufflevector(c26, c37, 1, 9, 3, 11, 5, 13, 7, 15);
  c_0 = __builtin_shufflevector(low_01, low_23, 0, 1, 8, 9, 4, 5, 12, 13);
  c_1 = __builtin_shufflevector(high_01, high_23, 0, 1, 8, 9, 4, 5, 12, 13);
  c_2 = __builtin_shufflevector(low_01, low_23, 2, 3, 10, 11, 6, 7, 14, 15);
  c_3 = __builtin_shufflevector(high_01, high_23, 2, 3, 10, 11, 6, 7, 14, 15);
}

MACROBENCH_ALWAYS_INLINE inline void transpose(const AlignedCubic* c, const Four::Words& row,
                                               Four::Numbers& c_0, Four::Numbers& c_1,
                                               Four::Numbers& c_2, Four::Numbers& c_3) {
  using Numbers = Four::Numbers;
  Numbers c0;
  Numbers c1;
  Numbers c2;
  Numbers c3;
  load(c0, c[row[0]]);
  load(c1, c[row[1]]);
  load(c2, c[row[2]]);
  load(c3, c[row[3]]);
  const Numbers low_01 = __builtin_shufflevector(c0, c1, 0, 4, 2, 6);
  const Numbers high_01 = __builtin_shufflevector(c0, c1, 1, 5, 3, 7);
  const Numbers low_23 = __builtin_shufflevector(c2, c3, 0, 4, 2, 6);
  const Numbers high_23 = __builtin_shufflevector(c2, c3, 1, 5, 3, 7);
  c_0 = __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5);
  c_1 = __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5);
  c_2 = __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7);
  c_3 = __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7);
}

/// x^(1/7) to two units in the last place, for 0 <= x <= 1; 0 gives almost 0.
template <int lanes>
MACROBENCH_ALWAYS_INLINE inline void seventh_root(typename Vectors<lanes>::Numbers& x) {
  using Numbers = typename Vectors<lanes>::Numbers;
  using Words = typename Vectors<lanes>::Words;
  constexpr double magic = 0x1p52;
  constexpr std::uint64_t magic_bits = 0x4330000000000000;
  constexpr double seventh = 1.0 / 7;
  x = x > 1e-280 ? x : 1e-280 - Numbers{};
  // A power of x is nearly linear in the bits of a double's upper half, read as a whole number.
  constexpr double one = 1072693248;  // those of 1
  constexpr double from_line = 1072693248 - 63000;
  const Numbers upper = reinterpret_cast<Numbers>(reinterpret_cast<Words>(x) >> 32 | magic_bits);
  const Numbers guess = (upper - magic) * -seventh + (from_line + one * seventh + magic);
  Numbers z = reinterpret_cast<Numbers>(reinterpret_cast<Words>(guess) << 32);  // x^(-1/7)
  Numbers z2 = z * z;
  Numbers z4 = z2 * z2;
  Numbers h = 1 - (x * z) * (z2 * z4);
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

  /// Replaces the wealth of a vector's agents by their choices. The lowest bits of `bits` are their
  /// employment, the first agent's highest; `outside` grows by the number of choices that had to be
  /// clipped. The number of lanes changes no bit of an agent's choice.
  template <int lanes, bool seventh, bool in_index>
  MACROBENCH_ALWAYS_INLINE void choose(typename Vectors<lanes>::Numbers& k, unsigned bits,
                                       typename Vectors<lanes>::Words& outside) const {
    using Numbers = typename Vectors<lanes>::Numbers;
    using Words = typename Vectors<lanes>::Words;
    constexpr double rounder = 0x1.8p52;
    Words shifts;
    for (int l = 0; l < lanes; ++l) shifts[l] = static_cast<std::uint64_t>(lanes - 1 - l);
    Numbers place = k * (1 / grids_.k_max);
    if constexpr (seventh) {
      seventh_root<lanes>(place);
    } else {
      for (int l = 0; l < lanes; ++l) place[l] = std::pow(place[l], 1 / grids_.theta);
    }
    place *= grids_.n_k - 1;
    // The interval below: on a node both are right.
    const Numbers shifted = (place - 0.5) + rounder;
    Numbers t = place - (shifted - rounder);
    if constexpr (!in_index) {
      Numbers node = (shifted - rounder) * (1.0 / (grids_.n_k - 1));
      if constexpr (seventh) {
        const Numbers squared = node * node;
        node *= squared * squared * squared;
      } else {
        for (int l = 0; l < lanes; ++l) node[l] = std::pow(node[l], grids_.theta);
      }
      t = k - node * grids_.k_max;
    }
    const Words is_employed = (std::uint64_t{bits} + Words{}) >> shifts & 1;
    const Words row = (reinterpret_cast<Words>(shifted) & 0xFFFFFFFF) +
                      (-is_employed & static_cast<std::uint64_t>(grids_.n_k));

    Numbers c_0;
    Numbers c_1;
    Numbers c_2;
    Numbers c_3;
    transpose(cubics_.data(), row, c_0, c_1, c_2, c_3);
    const Numbers chosen = ((c_3 * t + c_2) * t + c_1) * t + c_0;
    const Numbers most = grids_.k_max - Numbers{};
    k = chosen > 0 ? chosen : Numbers{};
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
