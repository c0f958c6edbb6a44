#pragma once

namespace macrobench::numerics {

/// Broyden's method in one unknown, where its update of the derivative is the secant. It stays in a
/// bracket: a step that would leave the bracket goes to its middle.
class Broyden {
 public:
  /// The function is positive near `low` and negative near `high`, and is never evaluated at
  /// either. `slope` is a first guess of its derivative.
  Broyden(double low, double high) : low_(low), high_(high) {}

  /// Where to evaluate next, given f(x). `first_slope`, a guess of the derivative, counts in the
  /// first call only.
  double next(double x, double f, double first_slope) {
    (f > 0 ? low_ : high_) = x;
    slope_ = has_last_ ? (f - last_f_) / (x - last_x_) : first_slope;
    has_last_ = true;
    last_x_ = x;
    last_f_ = f;
    const double step_to = x - f / slope_;
    const bool is_inside = step_to > low_ && step_to < high_;
    return is_inside ? step_to : low_ + (high_ - low_) / 2;
  }

 private:
  double low_, high_;
  double slope_ = 0;
  bool has_last_ = false;
  double last_x_ = 0;
  double last_f_ = 0;
};

}  // namespace macrobench::numerics
