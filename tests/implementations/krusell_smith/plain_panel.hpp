#pragma once

// A panel as a reader of the papers would write it down, for the outer loop to find equilibria with
// that tests then spoil. None of an implementation's code.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/run/stage_clock.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/outer_loop.hpp"

namespace macrobench::krusell_smith {

class PlainPanel final : public PanelMethod {
 public:
  PlainPanel(const Problem& problem, const Shocks& shocks)
      : problem_(problem), shocks_(shocks), first(initial_wealth(problem.N)), last(first) {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    last = first;
    for (int t = 0; t < problem_.T; ++t) {
      const double mean = std::accumulate(last.begin(), last.end(), 0.0) / problem_.N;
      K[static_cast<std::size_t>(t)] = problem_.grids.clip_K(mean);
      if (t + 1 == problem_.T) break;
      for (int i = 0; i < problem_.N; ++i) {
        double& k = last[static_cast<std::size_t>(i)];
        k = choice(policy, 2 * shocks_.a(t) + shocks_.employment(i, t), k, mean);
      }
    }
    return {};
  }

  void keep_last() override { first = last; }

  /// 16 nodes by the weights that the papers' code has.
  [[nodiscard]] double choice(const std::vector<double>& policy, int s, double k, double K) const {
    const Grids& grids = problem_.grids;
    const double x = (K - grids.K_min) / (grids.K_max - grids.K_min) * (grids.n_K - 1);
    const double y = std::pow(k / grids.k_max, 1 / grids.theta) * (grids.n_k - 1);
    double sum = 0;
    for (int m = -1; m <= 2; ++m) {
      const int j = std::clamp(static_cast<int>(x) + m, 0, grids.n_K - 1);
      double along_k = 0;
      for (int n = -1; n <= 2; ++n) {
        const int i = std::clamp(static_cast<int>(y) + n, 0, grids.n_k - 1);
        along_k += weight(n, y - std::floor(y)) *
                   policy[static_cast<std::size_t>((s * grids.n_K + j) * grids.n_k + i)];
      }
      sum += weight(m, x - std::floor(x)) * along_k;
    }
    return std::clamp(sum, 0.0, grids.k_max);
  }

 private:
  static double weight(int n, double a) {
    switch (n) {
      case -1:
        return a * (-0.5 + a * (1 - 0.5 * a));
      case 0:
        return 1 + a * a * (-2.5 + 1.5 * a);
      case 1:
        return a * (0.5 + a * (2 - 1.5 * a));
      default:
        return a * a * (-0.5 + 0.5 * a);
    }
  }

  const Problem& problem_;
  const Shocks& shocks_;

 public:
  std::vector<double> first, last;
};

/// The problem's equilibrium with that panel.
inline Equilibrium plain_equilibrium(const Problem& problem) {
  const Shocks shocks = draw_shocks(problem);
  PlainPanel panel(problem, shocks);
  Equilibrium equilibrium;
  StageClock clock;
  find_equilibrium(problem, shocks, clock, panel, equilibrium);
  equilibrium.first_wealth = panel.first;
  equilibrium.last_wealth = panel.last;
  return equilibrium;
}

/// Small enough for tests.
inline Problem small_problem() {
  Problem problem;
  problem.N = 400;
  problem.T = 160;
  problem.burn_in = 20;
  problem.grids.n_k = 20;
  problem.reuse_tolerance = 10;
  problem.policy = "egm";
  problem.accuracy_periods = 0;
  return problem;
}

}  // namespace macrobench::krusell_smith
