#include "implementations/numerics/methods/not_a_knot_spline.hpp"

namespace macrobench::numerics {

void NotAKnotSpline::set_points(const std::vector<double>& points) {
  const std::size_t n = points.size();
  x_ = points;
  h_.resize(n - 1);
  inverse_h_.resize(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h_[i] = x_[i + 1] - x_[i];
    inverse_h_[i] = 1 / h_[i];
  }
  factor_.assign(n, 0);
  inverse_pivot_.assign(n, 0);
  upper_.assign(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double lower = h_[i - 1];
    double pivot = 2 * (h_[i - 1] + h_[i]);
    double upper = h_[i];
    // The second derivative at each end is on the line through the next two.
    if (i == 1) {
      pivot += lower * (1 + h_[0] / h_[1]);
      upper -= lower * h_[0] / h_[1];
      lower = 0;
    }
    if (i == n - 2) {
      const double ratio = h_[n - 2] / h_[n - 3];
      pivot += upper * (1 + ratio);
      lower -= upper * ratio;
      upper = 0;
    }
    factor_[i] = lower * inverse_pivot_[i - 1];
    inverse_pivot_[i] = 1 / (pivot - factor_[i] * upper_[i - 1]);
    upper_[i] = upper;
  }
}

void NotAKnotSpline::curvature(const double* y, int lines, double* curvature) const {
  const std::size_t n = x_.size();
  const auto count = static_cast<std::size_t>(lines);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double* before = y + (i - 1) * count;
    const double* here = y + i * count;
    const double* after = y + (i + 1) * count;
    double* m = curvature + i * count;
    const double* m_before = m - count;
    for (std::size_t l = 0; l < count; ++l) {
      const double bend =
          (after[l] - here[l]) * inverse_h_[i] - (here[l] - before[l]) * inverse_h_[i - 1];
      m[l] = 6 * bend - (i > 1 ? factor_[i] * m_before[l] : 0.0);
    }
  }
  for (std::size_t i = n - 2; i >= 1; --i) {
    double* m = curvature + i * count;
    const double* m_after = m + count;
    for (std::size_t l = 0; l < count; ++l) {
      m[l] = (m[l] - (i < n - 2 ? upper_[i] * m_after[l] : 0.0)) * inverse_pivot_[i];
    }
  }
  const double at_first = h_[0] / h_[1];
  const double at_last = h_[n - 2] / h_[n - 3];
  double* first = curvature;
  double* last = curvature + (n - 1) * count;
  for (std::size_t l = 0; l < count; ++l) {
    first[l] = first[count + l] + at_first * (first[count + l] - first[2 * count + l]);
    const double* inner = last - count;
    last[l] = inner[l] + at_last * (inner[l] - (inner - count)[l]);
  }
}

}  // namespace macrobench::numerics
