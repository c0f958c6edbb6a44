// The arithmetic of the GPU's panel, on the host.

#include "implementations/krusell_smith/frontier/collapsed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "implementations/krusell_smith/certificate/line.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {
namespace {

TEST(CollapsedSurface, IsCatmullRomInBothDirections) {
  for (const double theta : {7.0, 3.0}) {
    Problem problem;
    problem.grids.n_k = 40;
    problem.grids.n_K = 6;
    problem.grids.theta = theta;
    const Grids& grids = problem.grids;
    std::vector<double> policy = first_policy(grids);
    // Another curvature everywhere, so that no two lines are alike.
    for (std::size_t n = 0; n < policy.size(); ++n) {
      policy[n] += std::sin(0.1 * static_cast<double>(n)) * std::sqrt(policy[n]);
    }
    const Places<double, true> by_root(grids);
    const Places<double, false> by_power(grids);
    for (int s = 0; s < states; ++s) {
      for (const double K : {30.0, 33.7, 42.0, 49.999, 50.0}) {
        const double x = grids.index_of_K(K);
        const LinesAround around(x);
        for (const double k : {0.0, 1e-9, 0.3, 12.0, 36.7, 71.9, 640.0, 999.9, 1000.0}) {
          const Place<double> place = theta == 7 ? by_root.of(k) : by_power.of(k);
          ASSERT_GE(place.below, 0);
          ASSERT_LT(place.below, grids.n_k);
          const auto node = [&](int i) {
            return around.node(grids, policy.data(), s, clamp_index(i, grids.n_k));
          };
          const Cubic<double> cubic =
              Cubic<double>::between(node(place.below - 1), node(place.below),
                                     node(place.below + 1), node(place.below + 2));
          const double expected =
              interpolate_surface(grids, policy.data() + grids.line(s, 0), x, grids.index_of_k(k));
          EXPECT_NEAR(cubic(place.t), expected, 1e-12 * (1 + std::abs(expected)))
              << theta << ", " << s << ", " << K << ", " << k;
        }
      }
    }
  }
}

TEST(CollapsedSurface, IsInterpolatedInKItself) {
  for (const auto interpolation : {PanelInterpolation::linear, PanelInterpolation::spline}) {
    const bool is_spline = interpolation == PanelInterpolation::spline;
    Problem problem;
    problem.grids.n_k = 40;
    problem.grids.n_K = 6;
    const Grids& grids = problem.grids;
    std::vector<double> policy = first_policy(grids);
    for (std::size_t n = 0; n < policy.size(); ++n) {
      policy[n] += std::sin(0.1 * static_cast<double>(n)) * std::sqrt(policy[n]);
    }
    const std::vector<double> bent = with_bends(grids, interpolation, policy);
    ASSERT_EQ(bent.size(), size_with_bends(grids, interpolation));
    const std::vector<double> k_i = k_points(grids);
    const std::vector<double> K_j = K_points(grids);
    for (int s = 0; s < states; ++s) {
      for (const double K : {30.0, 33.7, 42.0, 49.999, 50.0}) {
        const LineInK line(grids, grids.index_of_K(K), is_spline ? K_j[1] - K_j[0] : 0);
        // The certificate's interpolation: first along K at each k_i, then along k.
        const auto kind = is_spline ? PolicyInterpolation::spline : PolicyInterpolation::linear;
        std::vector<double> at_K;
        for (int i = 0; i < grids.n_k; ++i) {
          std::vector<double> along_K;
          for (int j = 0; j < grids.n_K; ++j) {
            along_K.push_back(policy[static_cast<std::size_t>(grids.line(s, j) + i)]);
          }
          at_K.push_back(certificate::Line(K_j, along_K, kind)(K));
        }
        const certificate::Line expected(k_i, at_K, kind);
        for (int i = 0; i + 1 < grids.n_k; ++i) {
          const double k0 = grids.k(i);
          const double k1 = grids.k(i + 1);
          const auto node = [&](int n) { return line.node(grids, bent.data(), s, n); };
          const auto bend = [&](int n) { return line.bend(grids, bent.data(), s, n); };
          const Cubic<double> cubic =
              is_spline ? Cubic<double>::spline(k1 - k0, 1 / (k1 - k0), node(i), node(i + 1),
                                                bend(i), bend(i + 1))
                        : Cubic<double>::line(k0, 1 / (k1 - k0), node(i), node(i + 1));
          for (const double share : {0.0, 0.3, 0.9}) {
            const double k = k0 + share * (k1 - k0);
            EXPECT_NEAR(cubic(is_spline ? k - k0 : k), expected(k), 1e-10 * (1 + k))
                << s << ", " << K << ", " << k;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
