#include "implementations/krusell_smith/frontier/representative.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/numerics/methods/quasi_newton.hpp"

namespace macrobench::krusell_smith {

namespace {

/// ln K' at two points of K in the bad state, and then in the good one.
using Heights = std::vector<double>;

class Representative {
 public:
  explicit Representative(const Economy& economy)
      : economy_(economy), ln_K_{ln_steady_K() - width, ln_steady_K() + width} {}

  /// Capital stays where it is, but for a slow return.
  [[nodiscard]] Heights start() const {
    const double left = slope * width;
    const double middle = ln_K_[0] + width;
    return {middle - left, middle + left, middle - left, middle + left};
  }

  [[nodiscard]] LawOfMotion law(const Heights& heights) const {
    LawOfMotion its;
    for (const int a : {bad, good}) {
      const double* const at = heights.data() + 2 * a;
      its.b1[a] = (at[1] - at[0]) / (2 * width);
      its.b0[a] = at[0] - its.b1[a] * ln_K_[0];
    }
    return its;
  }

  /// By how much the heights that the equation requires are above these.
  [[nodiscard]] std::vector<double> lacks(const Heights& heights) const {
    const LawOfMotion its = law(heights);
    std::vector<double> lacks;
    for (std::size_t n = 0; n < heights.size(); ++n) {
      const int a = n < 2 ? bad : good;
      const double K = std::exp(ln_K_[n % 2]);
      const double K_next = std::exp(heights[n]);
      double utility = 0;
      for (const int a_next : {bad, good}) {
        const double C_next = resources(a_next, K_next) - its.next(a_next, K_next);
        utility += economy_.chance(a, a_next) * prices(economy_, a_next, K_next).R *
                   marginal_utility(economy_.gamma, C_next);
      }
      const double C = consumption_at(economy_.gamma, economy_.beta * utility);
      lacks.push_back(std::log(resources(a, K) - C) - heights[n]);
    }
    return lacks;
  }

 private:
  static constexpr double width = .05;  ///< of the points, around the steady state
  static constexpr double slope = .96;

  [[nodiscard]] double resources(int a, double K) const {
    const Prices its = prices(economy_, a, K);
    return its.R * K + economy_.L[a] * its.income[employed] +
           (1 - economy_.L[a]) * its.income[unemployed];
  }

  /// Where capital would stay if both states were alike, their middle.
  [[nodiscard]] double ln_steady_K() const {
    const double labour = economy_.lbar * (economy_.L[bad] + economy_.L[good]) / 2;
    return std::log(labour * capital_without_risk(economy_));
  }

  const Economy& economy_;
  double ln_K_[2];
};

}  // namespace

std::optional<LawOfMotion> representative_law(const Economy& economy) {
  constexpr double enough = 1e-5;  // ln K'
  constexpr int steps = 20;
  constexpr double shift = 1e-4;

  const Representative household(economy);
  Heights heights = household.start();
  std::vector<double> lacks = household.lacks(heights);
  numerics::QuasiNewton newton(heights.size());
  for (std::size_t n = 0; n < heights.size(); ++n) {
    Heights shifted = heights;
    shifted[n] += shift;
    newton.set_derivative(n, shift, numerics::difference(household.lacks(shifted), lacks));
  }
  for (int n = 0; n < steps; ++n) {
    const double largest = numerics::largest(lacks);
    if (largest < enough) return household.law(heights);
    if (!std::isfinite(largest)) break;
    const std::vector<double> step = newton.step(lacks);
    if (step.empty()) break;
    for (std::size_t i = 0; i < step.size(); ++i) heights[i] += step[i];
    const std::vector<double> now = household.lacks(heights);
    newton.update(step, numerics::difference(now, lacks));
    lacks = now;
  }
  return std::nullopt;
}

}  // namespace macrobench::krusell_smith
