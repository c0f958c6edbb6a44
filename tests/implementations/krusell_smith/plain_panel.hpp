#pragma once

// Panels as a reader of the papers would write them down, for the outer loop to find equilibria
// with that tests then spoil. None of an implementation's code.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "harness/run/stage_clock.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/one_stage.hpp"
#include "implementations/krusell_smith/published/outer_loop.hpp"

namespace macrobench::krusell_smith {

/// The weight of the node n places behind the one below a point, which is a fraction `a` further.
inline double plain_weight(PanelKind kind, int n, double a) {
  if (kind == PanelKind::hardware) {
    const double rounded = std::round(a * 256) / 256;
    return n == 0 ? 1 - rounded : n == 1 ? rounded : 0;
  }
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

/// k' by 16 nodes and the weights that the papers' code has.
inline double plain_choice(const Grids& grids, PanelKind kind, const std::vector<double>& policy,
                           int s, double k, double K) {
  const double x = (K - grids.K_min) / (grids.K_max - grids.K_min) * (grids.n_K - 1);
  const double y = std::pow(k / grids.k_max, 1 / grids.theta) * (grids.n_k - 1);
  double sum = 0;
  for (int m = -1; m <= 2; ++m) {
    const int j = std::clamp(static_cast<int>(x) + m, 0, grids.n_K - 1);
    double along_k = 0;
    for (int n = -1; n <= 2; ++n) {
      const int i = std::clamp(static_cast<int>(y) + n, 0, grids.n_k - 1);
      along_k += plain_weight(kind, n, y - std::floor(y)) *
                 policy[static_cast<std::size_t>((s * grids.n_K + j) * grids.n_k + i)];
    }
    sum += plain_weight(kind, m, x - std::floor(x)) * along_k;
  }
  return std::clamp(sum, 0.0, grids.k_max);
}

/// Agents, in the problem's precision.
class PlainPanel final : public PanelMethod {
 public:
  PlainPanel(const Problem& problem, const Shocks& shocks, PanelKind kind = PanelKind::agents)
      : problem_(problem), shocks_(shocks), kind_(kind), first(initial_wealth(problem.N)) {
    for (double& k : first) k = rounded(k);
    last = first;
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    last = first;
    for (int t = 0; t < problem_.T; ++t) {
      const double mean = std::accumulate(last.begin(), last.end(), 0.0) / problem_.N;
      K[static_cast<std::size_t>(t)] = problem_.grids.clip_K(mean);
      if (t == problem_.moves()) break;
      for (int i = 0; i < problem_.N; ++i) {
        double& k = last[static_cast<std::size_t>(i)];
        const int s = 2 * shocks_.a(t) + shocks_.employment(i, t);
        k = rounded(plain_choice(problem_.grids, kind_, policy, s, k, mean));
      }
    }
    return {};
  }

  void keep_last() override { first = last; }

 private:
  [[nodiscard]] double rounded(double k) const {
    return problem_.single ? static_cast<double>(static_cast<float>(k)) : k;
  }

  const Problem& problem_;
  const Shocks& shocks_;
  PanelKind kind_;

 public:
  std::vector<double> first, last;
};

/// Young's histogram.
class PlainHistogram final : public PanelMethod {
 public:
  PlainHistogram(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        shocks_(shocks),
        k_(histogram_points(problem)),
        first(first_histogram(problem, shocks)),
        last(first) {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    last = first;
    for (int t = 0; t < problem_.T; ++t) {
      double mean = 0;
      for (std::size_t n = 0; n < last.size(); ++n) mean += last[n] * k_[n % k_.size()];
      K[static_cast<std::size_t>(t)] = problem_.grids.clip_K(mean);
      if (t + 1 == problem_.T) break;
      std::vector<double> next(last.size(), 0);
      for (std::size_t n = 0; n < last.size(); ++n) {
        const int e = n < k_.size() ? unemployed : employed;
        const int s = 2 * shocks_.a(t) + e;
        const double k = plain_choice(problem_.grids, PanelKind::agents, policy, s,
                                      k_[n % k_.size()], problem_.grids.clip_K(mean));
        std::size_t below = 0;
        while (below + 2 < k_.size() && k_[below + 1] <= k) ++below;
        const double up = (k - k_[below]) / (k_[below + 1] - k_[below]);
        const double* row = &problem_.calibration.P[static_cast<std::size_t>(4 * s)];
        const double* to = row + std::ptrdiff_t{2} * shocks_.a(t + 1);
        for (const int then : {unemployed, employed}) {
          const double mass = last[n] * to[then] / (to[unemployed] + to[employed]);
          const std::size_t at = static_cast<std::size_t>(then) * k_.size() + below;
          next[at] += (1 - up) * mass;
          next[at + 1] += up * mass;
        }
      }
      last = next;
    }
    return {};
  }

  void keep_last() override { first = last; }

 private:
  const Problem& problem_;
  const Shocks& shocks_;
  std::vector<double> k_;

 public:
  std::vector<double> first, last;
};

template <class Panel>
Equilibrium plainly_solved(const Problem& problem, Panel panel, PanelKind kind,
                           const Shocks& shocks) {
  Equilibrium equilibrium;
  equilibrium.K.resize(static_cast<std::size_t>(problem.T));
  StageClock clock;
  switch (problem.stage) {
    case Stage::policy:
      find_policy(problem, clock, equilibrium);
      return equilibrium;
    case Stage::panel:
      simulate_panel(problem, clock, panel, equilibrium);
      break;
    case Stage::all:
      find_equilibrium(problem, shocks, clock, panel, equilibrium);
      break;
  }
  equilibrium.kind = kind;
  equilibrium.first_wealth = panel.first;
  equilibrium.last_wealth = panel.last;
  return equilibrium;
}

/// The problem's equilibrium, or its stage's solution, with such a panel.
inline Equilibrium plain_equilibrium(const Problem& problem, PanelKind kind = PanelKind::agents) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  if (kind == PanelKind::histogram) {
    return plainly_solved(problem, PlainHistogram(problem, *shocks), kind, *shocks);
  }
  return plainly_solved(problem, PlainPanel(problem, *shocks, kind), kind, *shocks);
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
