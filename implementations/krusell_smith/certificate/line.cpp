#include "implementations/krusell_smith/certificate/line.hpp"

#include <algorithm>
#include <cstddef>

namespace macrobench::krusell_smith::certificate {

double Line::operator()(double at) const {
  const auto above = std::upper_bound(x_->begin() + 1, x_->end() - 1, at);
  const auto i = static_cast<std::size_t>(above - x_->begin()) - 1;
  const double h = (*x_)[i + 1] - (*x_)[i];
  const double t = (at - (*x_)[i]) / h;
  const double rise = y_[i + 1] - y_[i];
  if (slopes_.empty()) return y_[i] + t * rise;
  const double from_left = slopes_[i] * h - rise;
  const double from_right = rise - slopes_[i + 1] * h;
  return y_[i] + t * rise + t * (1 - t) * ((1 - t) * from_left + t * from_right);
}

void Line::find_slopes() {
  const std::size_t n = y_.size();
  std::vector<long double> h(n);
  std::vector<long double> d(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = (*x_)[i + 1] - (*x_)[i];
    d[i] = (y_[i + 1] - y_[i]) / h[i];
  }
  std::vector<long double> lower(n, 0);
  std::vector<long double> diagonal(n);
  std::vector<long double> upper(n, 0);
  std::vector<long double> right(n);
  const auto end = [](long double outer, long double inner, long double d_outer,
                      long double d_inner) {
    const long double both = outer + inner;
    return ((outer + 2 * both) * inner * d_outer + outer * outer * d_inner) / both;
  };
  diagonal[0] = h[1];
  upper[0] = h[0] + h[1];
  right[0] = end(h[0], h[1], d[0], d[1]);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h[i];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    upper[i] = h[i - 1];
    right[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
  }
  lower[n - 1] = h[n - 2] + h[n - 3];
  diagonal[n - 1] = h[n - 3];
  right[n - 1] = end(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  for (std::size_t i = 1; i < n; ++i) {
    const long double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  slopes_.resize(n);
  long double slope = 0;
  for (std::size_t i = n; i-- > 0;) {
    slope = (right[i] - upper[i] * slope) / diagonal[i];
    slopes_[i] = static_cast<double>(slope);
  }
}

}  // namespace macrobench::krusell_smith::certificate
