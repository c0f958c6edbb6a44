#pragma once

#include <cstddef>
#include <vector>

namespace macrobench::numerics {

/// Cubic splines with not-a-knot ends through many functions on the same points: the third
/// derivative is also continuous at the second and the second to last point. On four points each is
/// the cubic through them.
class NotAKnotSpline {
 public:
  /// At least 4 points, strictly increasing.
  explicit NotAKnotSpline(const std::vector<double>& points) { set_points(points); }

  /// The same for other points; allocates nothing if there are as many.
  void set_points(const std::vector<double>& points);

  [[nodiscard]] int size() const { return static_cast<int>(x_.size()); }
  [[nodiscard]] const std::vector<double>& points() const { return x_; }

  /// The second derivatives at the points, of `lines` functions side by side: `y` and `curvature`
  /// have shape size() x lines. O(size() lines).
  void curvature(const double* y, int lines, double* curvature) const;

  /// What curvature() uses, for a device that does the same: the inverse distance from each point
  /// to the next, and the lower factor, inverse pivot and upper entry of the eliminated system.
  /// inverse_h has shape size() - 1, the others size(), with their ends unused.
  struct Eliminated {
    const std::vector<double>&inverse_h, &factor, &inverse_pivot, &upper;
  };
  [[nodiscard]] Eliminated eliminated() const {
    return {inverse_h_, factor_, inverse_pivot_, upper_};
  }

  /// The interval that contains `at`, from 0 to size() - 2, searched from `hint`; the outer
  /// intervals extend beyond the points.
  [[nodiscard]] int interval(double at, int hint) const {
    int p = hint;
    while (p < size() - 2 && x_[static_cast<std::size_t>(p) + 1] < at) ++p;
    while (p > 0 && x_[static_cast<std::size_t>(p)] > at) --p;
    return p;
  }

  /// A spline at a point of interval p is
  /// left y_p + right y_{p+1} + bend_left curvature_p + bend_right curvature_{p+1}.
  struct Weights {
    double left, right, bend_left, bend_right;
  };
  [[nodiscard]] Weights weights(double at, int p) const {
    const auto i = static_cast<std::size_t>(p);
    const double right = (at - x_[i]) * inverse_h_[i];
    const double left = 1 - right;
    const double sixth = h_[i] * h_[i] / 6;
    return {left, right, (left * left - 1) * left * sixth, (right * right - 1) * right * sixth};
  }

 private:
  std::vector<double> x_, h_, inverse_h_;
  // The tridiagonal system of the inner points' second derivatives, eliminated.
  std::vector<double> factor_, inverse_pivot_, upper_;
};

}  // namespace macrobench::numerics
