#pragma once

// The population as a histogram of wealth, by employment.

#include <cstddef>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

/// Moments and quantiles of a cross-section of wealth.
struct WealthMoments {
  double mean, sd, p05, p25, median, p75, p95;
};

class Population {
 public:
  /// Of weights by employment, shape 2 x histogram_points.
  Population(const Problem& problem, const std::vector<double>& mass);

  /// From single households, each with the same weight.
  Population(const Problem& problem, const std::vector<double>& wealth,
             const std::vector<int>& employment);

  /// Adds households of wealth k, shared between two points so that the mean is kept.
  void add(int e, double k, double mass);

  /// Keeps the distribution of wealth given employment, and makes a share `u` unemployed.
  void set_unemployment(double u);

  /// The next period's population, given the choices at (a, K).
  void advance(const Equilibrium& equilibrium, int a, int a_next, double K);

  [[nodiscard]] double mean() const;  ///< clipped to the grid of K
  [[nodiscard]] double quantile(double share) const;
  [[nodiscard]] double share_above(double k) const;
  [[nodiscard]] WealthMoments moments() const;

  /// Weights by employment, shape 2 x histogram_points.
  [[nodiscard]] std::vector<double> mass() const;

 private:
  /// The point above, and the share of it that keeps the mean; the rest is the point's below.
  struct Place {
    std::size_t above;
    double upwards;
  };
  [[nodiscard]] Place place_of(double k) const;
  /// The same, sought from a point on: neighbors choose near each other.
  [[nodiscard]] Place place_near(std::size_t near, double k) const;
  [[nodiscard]] Place place_below(std::size_t above, double k) const;

  const Problem* problem_;
  std::vector<double> k_;
  std::vector<double> position_;   ///< of each k_ among the policy's points
  std::vector<double> per_width_;  ///< 1 / (k_i - k_(i-1)), 0 of the first
  std::vector<double> mass_[2];    ///< by employment
};

/// The population at a panel's end.
Population last_population(const Problem& problem, const Equilibrium& equilibrium);

/// The share of the households whose wealth is at least `k`.
double share_above(const Problem& problem, PanelKind kind, const std::vector<double>& wealth,
                   double k);

/// Of agents, or of a histogram's weights.
WealthMoments moments_of(const Problem& problem, PanelKind kind, const std::vector<double>& wealth);

}  // namespace macrobench::krusell_smith::certificate
