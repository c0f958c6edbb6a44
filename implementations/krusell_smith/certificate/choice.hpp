#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/certificate/line.hpp"

namespace macrobench::krusell_smith::certificate {

inline double catmull_rom(const double (&y)[4], double t) {
  // Hermite's cubic with slopes of half the distance between the neighbours.
  const double slope_left = (y[2] - y[0]) / 2;
  const double slope_right = (y[3] - y[1]) / 2;
  const double rise = y[2] - y[1];
  return y[1] + t * slope_left + t * t * (3 * rise - 2 * slope_left - slope_right) +
         t * t * t * (slope_left + slope_right - 2 * rise);
}

/// The choice of an agent at one K and one state, as a panel interpolates it.
class Choice {
 public:
  Choice(const Problem& problem, const Equilibrium& equilibrium, int s, double K)
      : grids_(&problem.grids), kind_(equilibrium.kind) {
    const bool in_index = kind_ != PanelKind::agents ||
                          problem.panel_interpolation == PanelInterpolation::catmull_rom;
    if (!in_index) {
      collapse_in_K(problem, equilibrium, s, K);
      return;
    }
    const double x = (K - grids_->K_min) / (grids_->K_max - grids_->K_min) * (grids_->n_K - 1);
    const double below = std::floor(x);
    for (int i = 0; i < grids_->n_k; ++i) {
      const auto at = [&](int j) {
        return node(problem, equilibrium.policy, s, std::clamp(j, 0, grids_->n_K - 1), i);
      };
      const int j = static_cast<int>(below);
      line_.push_back(interpolate({at(j - 1), at(j), at(j + 1), at(j + 2)}, x - below));
    }
  }

  /// The position of k among the k_i, from 0 to n_k - 1.
  [[nodiscard]] static double position_of(const Grids& grids, double k) {
    return std::pow(k / grids.k_max, 1 / grids.theta) * (grids.n_k - 1);
  }

  [[nodiscard]] double operator()(double k) const {
    return in_k_ ? at(k, 0) : at(k, position_of(*grids_, k));
  }

  /// The same, given the position of k, which those who come back to it have kept.
  [[nodiscard]] double at(double k, double y) const {
    if (in_k_) return std::clamp((*in_k_)(k), 0.0, grids_->k_max);
    const double below = std::floor(y);
    const auto node_at = [&](int i) { return line_[index(std::clamp(i, 0, grids_->n_k - 1))]; };
    const int i = static_cast<int>(below);
    return std::clamp(
        interpolate({node_at(i - 1), node_at(i), node_at(i + 1), node_at(i + 2)}, y - below), 0.0,
        grids_->k_max);
  }

 private:
  void collapse_in_K(const Problem& problem, const Equilibrium& equilibrium, int s, double K) {
    const auto kind = problem.panel_interpolation == PanelInterpolation::linear
                          ? PolicyInterpolation::linear
                          : PolicyInterpolation::spline;
    const std::vector<double> K_j = K_points(*grids_);
    std::vector<double> line;
    for (int i = 0; i < grids_->n_k; ++i) {
      std::vector<double> along_K;
      for (int j = 0; j < grids_->n_K; ++j) {
        along_K.push_back(node(problem, equilibrium.policy, s, j, i));
      }
      line.push_back(Line(K_j, std::move(along_K), kind)(K));
    }
    k_i_ = std::make_shared<const std::vector<double>>(k_points(*grids_));
    in_k_.emplace(*k_i_, std::move(line), kind);
  }

  [[nodiscard]] double interpolate(const double (&y)[4], double t) const {
    if (kind_ != PanelKind::hardware) return catmull_rom(y, t);
    const double rounded = std::floor(t * 256 + 0.5) / 256;
    return y[1] + rounded * (y[2] - y[1]);
  }

  const Grids* grids_;
  PanelKind kind_;
  std::vector<double> line_;                        ///< in index space
  std::shared_ptr<const std::vector<double>> k_i_;  ///< to which in_k_ refers
  std::optional<Line> in_k_;                        ///< else
};

}  // namespace macrobench::krusell_smith::certificate
