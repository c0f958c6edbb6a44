#pragma once

// Not-a-knot splines where threads share them: on a device, or on the host as on a device.

#include <cstddef>
#include <vector>

#include "implementations/numerics/methods/not_a_knot_spline.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

/// A not-a-knot spline's points and eliminated system, in the memory of who uses it.
struct SplineView {
  int n;
  const double *x, *inverse_h;
  const double *factor, *inverse_pivot, *upper;  ///< the upper entries times the inverse pivots

  /// What a view refers to, 5 numbers for each point.
  static std::vector<double> constants_of(const numerics::NotAKnotSpline& spline) {
    const numerics::NotAKnotSpline::Eliminated system = spline.eliminated();
    std::vector<double> all = spline.points();
    const auto append = [&](const std::vector<double>& values) {
      all.insert(all.end(), values.begin(), values.end());
    };
    append(system.inverse_h);
    all.push_back(0);
    append(system.factor);
    append(system.inverse_pivot);
    for (std::size_t i = 0; i < system.upper.size(); ++i) {
      all.push_back(system.upper[i] * system.inverse_pivot[i]);
    }
    return all;
  }

  MACROBENCH_HOST_DEVICE SplineView(const double* constants, std::ptrdiff_t points)
      : n(static_cast<int>(points)),
        x(constants),
        inverse_h(constants + points),
        factor(constants + 2 * points),
        inverse_pivot(constants + 3 * points),
        upper(constants + 4 * points) {}

  /// The outer intervals over the next.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double at_first() const {
    return (x[1] - x[0]) * inverse_h[1];
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double at_last() const {
    return (x[n - 1] - x[n - 2]) * inverse_h[n - 3];
  }

  /// 6 times the difference of the slopes around point i.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double bend(int i, double before, double here,
                                                   double after) const {
    return 6 * ((after - here) * inverse_h[i] - (here - before) * inverse_h[i - 1]);
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE double forwards(int i, double bend, double carried) const {
    return bend - factor[i] * carried;
  }
  [[nodiscard]] MACROBENCH_HOST_DEVICE double backwards(int i, double forward,
                                                        double carried) const {
    return forward * inverse_pivot[i] - upper[i] * carried;
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE int interval(double at, int hint) const {
    int p = hint;
    while (p < n - 2 && x[p + 1] < at) ++p;
    while (p > 0 && x[p] > at) --p;
    return p;
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE numerics::NotAKnotSpline::Weights weights(double at,
                                                                                 int p) const {
    const double h = x[p + 1] - x[p];
    const double right = (at - x[p]) * inverse_h[p];
    const double left = 1 - right;
    const double sixth = h * h / 6;
    return {left, right, (left * left - 1) * left * sixth, (right * right - 1) * right * sixth};
  }

  /// The second derivatives m at the points of a function whose values y are `stride` apart; by one
  /// thread. What a batch of steps needs is read before them, because each step waits for the last.
  MACROBENCH_HOST_DEVICE void curvature(const double* y, std::ptrdiff_t stride, double* m) const {
    constexpr int batch = 8;
    const auto within = [this](int i) { return i < 1 ? 1 : i > n - 2 ? n - 2 : i; };
    double here = y[stride];
    double slope = (here - y[0]) * inverse_h[0];
    double carried = 0;
    for (int first = 1; first < n - 1; first += batch) {
      double after[batch];
      double over[batch];
      double lower[batch];
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        const int i = within(first + b);
        after[b] = y[(i + 1) * stride];
        over[b] = inverse_h[i];
        lower[b] = factor[i];
      }
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        const double next = (after[b] - here) * over[b];
        carried = 6 * (next - slope) - lower[b] * carried;
        if (first + b < n - 1) m[(first + b) * stride] = carried;
        here = after[b];
        slope = next;
      }
    }
    carried = 0;
    for (int last = n - 2; last > 0; last -= batch) {
      double forward[batch];
      double pivot[batch];
      double higher[batch];
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        const int i = within(last - b);
        forward[b] = m[i * stride];
        pivot[b] = inverse_pivot[i];
        higher[b] = upper[i];
      }
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        carried = forward[b] * pivot[b] - higher[b] * carried;
        if (last - b > 0) m[(last - b) * stride] = carried;
      }
    }
    m[0] = m[stride] + at_first() * (m[stride] - m[2 * stride]);
    double* const end = m + (n - 1) * stride;
    end[0] = end[-stride] + at_last() * (end[-stride] - end[-2 * stride]);
  }
};

}  // namespace macrobench::krusell_smith
