#pragma once

#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// A cost at a size.
struct Point {
  double size = 0;
  double cost = 0;
  double variance = 0;  ///< of the cost's logarithm
};

/// What the sizes of points mean: problem sizes, with whose square a cost may grow, or amounts of
/// work, with whose square it cannot.
enum class Sizes { of_a_problem, of_work };

/// A law of growth fitted to a row's own measured cells: "a + bN", "a + bN log N" or "(a + bN)^2".
struct GrowthLaw {
  std::string name;
  double a = 0;
  double b = 0;
  /// Largest relative error with which the law, fitted to the earlier points, predicted the last
  /// ones.
  double error = 0;

  [[nodiscard]] double at(double size) const;
};

/// The law that best predicts the last measured cells from those before them. None if there are
/// fewer than three points or no law grows sensibly (b > 0 and positive at the largest size).
std::optional<GrowthLaw> fit_growth_law(const std::vector<Point>& points,
                                        Sizes sizes = Sizes::of_a_problem);

/// The variance of the logarithm of the law's cost at a size that comes from the points', to which
/// the law was fitted.
double variance_at(const GrowthLaw& law, const std::vector<Point>& points, double size,
                   Sizes sizes = Sizes::of_a_problem);

}  // namespace macrobench
