#include "implementations/krusell_smith/policy/euler_map.hpp"

#include <algorithm>
#include <cmath>

namespace macrobench::krusell_smith {

namespace {

/// With fewer points, the work is done before another thread has started.
constexpr std::size_t nodes_a_thread = 1024;

std::size_t index(std::ptrdiff_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

EulerMap::EulerMap(const Problem& problem)
    : economy_(problem.calibration),
      grids_(problem.grids),
      splines_(problem.policy_interpolation == PolicyInterpolation::spline),
      threads_(std::clamp(static_cast<int>(grids_.size() / nodes_a_thread), 1, problem.threads)),
      k_(k_points(grids_)),
      K_(K_points(grids_)),
      today_(today_of(economy_, grids_)),
      bend_(grids_.size(), 0),
      scratch_(index(grids_.n_K) * 4 * index(grids_.n_k) * states, 0) {}

std::vector<Prices> EulerMap::today_of(const Economy& economy, const Grids& grids) {
  std::vector<Prices> today;
  for (const int a : {bad, good}) {
    for (int j = 0; j < grids.n_K; ++j) today.push_back(prices(economy, a, grids.K(j)));
  }
  return today;
}

std::vector<EulerMap::Tomorrow> EulerMap::tomorrow_under(const LawOfMotion& law,
                                                         const Economy& economy, const Grids& grids,
                                                         const numerics::NotAKnotSpline& in_K) {
  std::vector<Tomorrow> tomorrow;
  for (const int a : {bad, good}) {
    for (int j = 0; j < grids.n_K; ++j) {
      const double K = grids.clip_K(law.next(a, grids.K(j)));
      const int interval = in_K.interval(K, 0);
      tomorrow.push_back({interval,
                          in_K.weights(K, interval),
                          {prices(economy, bad, K), prices(economy, good, K)}});
    }
  }
  return tomorrow;
}

void EulerMap::set_law(const LawOfMotion& law) {
  tomorrow_ = tomorrow_under(law, economy_, grids_, K_);
}

void EulerMap::bend_in_K(const std::vector<double>& policy) {
  if (!splines_) return;
#pragma omp for schedule(static)
  for (int s = 0; s < states; ++s) {
    const std::ptrdiff_t first = grids_.line(s, 0);
    K_.curvature(policy.data() + first, grids_.n_k, bend_.data() + first);
  }
}

void EulerMap::lines_at(const Tomorrow& tomorrow, const std::vector<double>& policy,
                        double* lines) const {
  const auto& [left, right, bend_left, bend_right] = tomorrow.weights;
  for (int s = 0; s < states; ++s) {
    const double* low = policy.data() + grids_.line(s, tomorrow.interval);
    const double* high = low + grids_.n_k;
    const double* low_bend = bend_.data() + grids_.line(s, tomorrow.interval);
    const double* high_bend = low_bend + grids_.n_k;
    for (int i = 0; i < grids_.n_k; ++i) {
      lines[states * i + s] =
          left * low[i] + right * high[i] + bend_left * low_bend[i] + bend_right * high_bend[i];
    }
  }
}

void EulerMap::apply(const std::vector<double>& policy, std::vector<double>& asked) {
#pragma omp parallel num_threads(threads_)
  {
    bend_in_K(policy);
#pragma omp for schedule(static)
    for (int aj = 0; aj < 2 * grids_.n_K; ++aj) {
      const int a = aj / grids_.n_K;
      const int j = aj % grids_.n_K;
      const Tomorrow& tomorrow = tomorrow_[index(aj)];
      const Prices& today = today_[index(aj)];
      double* lines = scratch_.data() + std::ptrdiff_t{aj} * 2 * grids_.n_k * states;
      double* bends = lines + std::ptrdiff_t{grids_.n_k} * states;
      lines_at(tomorrow, policy, lines);
      if (splines_) k_.curvature(lines, states, bends);

      for (const int e : {unemployed, employed}) {
        const int s = state_of(a, e);
        const double* chosen = policy.data() + grids_.line(s, j);
        double* answer = asked.data() + grids_.line(s, j);
        int p = 0;
        for (int i = 0; i < grids_.n_k; ++i) {
          p = k_.interval(chosen[i], p);
          const auto [left, right, bend_left, bend_right] = k_.weights(chosen[i], p);
          const double* y = lines + std::ptrdiff_t{p} * states;
          const double* m = bends + std::ptrdiff_t{p} * states;
          double choices[states];
          for (int next = 0; next < states; ++next) {
            choices[next] = left * y[next] + right * y[states + next] + bend_left * m[next] +
                            bend_right * m[states + next];
          }
          const double c = consumption_at(
              economy_.gamma, expected_utility(economy_, s, tomorrow.prices, chosen[i], choices));
          answer[i] = grids_.clip_k(today.R * k_.points()[index(i)] + today.income[e] - c);
        }
      }
    }
  }
}

void EulerMap::apply_endogenous(const std::vector<double>& policy, std::vector<double>& asked) {
  const std::vector<double>& k = k_.points();
#pragma omp parallel num_threads(threads_)
  {
    bend_in_K(policy);
    std::vector<double> affords(k.size());
#pragma omp for schedule(static)
    for (int aj = 0; aj < 2 * grids_.n_K; ++aj) {
      const int a = aj / grids_.n_K;
      const int j = aj % grids_.n_K;
      const Tomorrow& tomorrow = tomorrow_[index(aj)];
      const Prices& today = today_[index(aj)];
      double* lines = scratch_.data() + std::ptrdiff_t{aj} * 2 * grids_.n_k * states;
      lines_at(tomorrow, policy, lines);

      for (const int e : {unemployed, employed}) {
        const int s = state_of(a, e);
        for (std::size_t i = 0; i < k.size(); ++i) {
          const double c = consumption_at(
              economy_.gamma,
              expected_utility(economy_, s, tomorrow.prices, k[i], lines + states * i));
          affords[i] = (c + k[i] - today.income[e]) / today.R;
        }
        double* answer = asked.data() + grids_.line(s, j);
        std::size_t p = 0;
        for (std::size_t i = 0; i < k.size(); ++i) {
          while (p < k.size() - 2 && affords[p + 1] < k[i]) ++p;
          const double share = (k[i] - affords[p]) / (affords[p + 1] - affords[p]);
          answer[i] = k[i] <= affords[0] ? 0 : grids_.clip_k(k[p] + share * (k[p + 1] - k[p]));
        }
      }
    }
  }
}

double largest_change(const std::vector<double>& policy, const std::vector<double>& asked) {
  double largest = 0;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const double change = std::abs(asked[i] - policy[i]);
    if (std::isnan(change)) return change;
    largest = std::max(largest, change);
  }
  return largest;
}

}  // namespace macrobench::krusell_smith
