#pragma once

// Not-a-knot splines that threads find together: on a device, or on the host as on a device.

#include <cstddef>
#include <vector>

#include "implementations/numerics/methods/not_a_knot_spline.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

/// Functions on a spline's points: values, second derivatives, and room for the way to these. One
/// function's are `apart` numbers from one point to the next.
struct Curves {
  double *y, *m, *spare;
  std::ptrdiff_t apart;
};

/// A not-a-knot spline in the memory of who uses it.
///
/// Second derivatives are found by parallel cyclic reduction (Hockney and Jesshope 1981, section
/// 5.4): a level takes the neighbors out of each point's equation, which then has those twice as
/// far away. What is left of a neighbor is squared each time, from at most a quarter: five levels
/// take it below rounding, however many points there are. The matrix is known beforehand, and so
/// are all its levels.
struct SplineView {
  int n, levels;
  const double *x, *inverse_h;
  const double* sixth;             ///< h^2 / 6
  const double* inverse_diagonal;  ///< after the last level
  const double* taken;             ///< of the lower and the upper neighbor, shape levels x 2 x n

  /// The levels that this spline needs, at least 2.
  static int levels_of(const numerics::NotAKnotSpline& spline);

  /// What a view with this many levels refers to, constants(n, levels) numbers.
  static std::vector<double> constants_of(const numerics::NotAKnotSpline& spline, int levels);

  MACROBENCH_HOST_DEVICE static std::ptrdiff_t constants(std::ptrdiff_t points, int levels) {
    return (4 + 2 * levels) * points;
  }

  MACROBENCH_HOST_DEVICE SplineView(const double* all, std::ptrdiff_t points, int its_levels)
      : n(static_cast<int>(points)),
        levels(its_levels),
        x(all),
        inverse_h(all + points),
        sixth(all + 2 * points),
        inverse_diagonal(all + 3 * points),
        taken(all + 4 * points) {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE int interval(double at, int hint) const {
    int p = hint;
    while (p < n - 2 && x[p + 1] < at) ++p;
    while (p > 0 && x[p] > at) --p;
    return p;
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE numerics::NotAKnotSpline::Weights weights(double at,
                                                                                 int p) const {
    const double right = (at - x[p]) * inverse_h[p];
    const double left = 1 - right;
    return {left, right, (left * left - 1) * left * sixth[p],
            (right * right - 1) * right * sixth[p]};
  }

  /// Sets m from y, by all threads of a block at once, which have all written y before. each(work)
  /// calls work(at, i) for this thread's share of the values: the one at `at` is at point i.
  template <class Threads, class Each>
  MACROBENCH_HOST_DEVICE void curvature(const Threads& threads, const Curves& of,
                                        const Each& each) const {
    double* from = levels % 2 == 0 ? of.spare : of.m;
    double* to = levels % 2 == 0 ? of.m : of.spare;
    each([&](std::ptrdiff_t at, int i) {
      if (i > 0 && i < n - 1) from[at] = first_level(of.y + at, of.apart, i);
    });
    threads.sync();
    std::ptrdiff_t far = 2 * of.apart;
    for (int level = 1; level < levels; ++level) {
      const double* const of_lower = taken + std::ptrdiff_t{2} * level * n;
      const double* const of_upper = of_lower + n;
      const int points = 1 << level;
      const auto left = [&](std::ptrdiff_t at, int i) {
        const double* const here = from + at;
        const double lower = here[i > points ? -far : 0];
        const double upper = here[i + points < n - 1 ? far : 0];
        return here[0] + of_lower[i] * lower + of_upper[i] * upper;
      };
      if (level + 1 < levels) {
        each([&](std::ptrdiff_t at, int i) {
          if (i > 0 && i < n - 1) to[at] = left(at, i);
        });
      } else {
        // Each end is on the line through the next two.
        const auto inner = [&](std::ptrdiff_t at, int i) {
          return left(at, i) * inverse_diagonal[i];
        };
        each([&](std::ptrdiff_t at, int i) {
          if (i > 0 && i < n - 1) {
            to[at] = inner(at, i);
          } else {
            const int inwards = i == 0 ? 1 : -1;
            const double next = inner(at + inwards * of.apart, i + inwards);
            const double second = inner(at + 2 * inwards * of.apart, i + 2 * inwards);
            const double ratio =
                i == 0 ? (x[1] - x[0]) * inverse_h[1] : (x[n - 1] - x[n - 2]) * inverse_h[n - 3];
            to[at] = next + ratio * (next - second);
          }
        });
      }
      threads.sync();
      double* const written = to;
      to = from;
      from = written;
      far *= 2;
    }
  }

 private:
  /// What is on the right of an inner point's equation, 6 times a difference of slopes, after the
  /// first level.
  [[nodiscard]] MACROBENCH_HOST_DEVICE double first_level(const double* y, std::ptrdiff_t apart,
                                                          int i) const {
    const bool has_lower = i > 1;
    const bool has_upper = i < n - 2;
    const double below = y[-apart];
    const double above = y[apart];
    const double second_below = y[has_lower ? -2 * apart : -apart];
    const double second_above = y[has_upper ? 2 * apart : apart];
    const double before = (y[0] - below) * inverse_h[i - 1];
    const double after = (above - y[0]) * inverse_h[i];
    const double here = 6 * (after - before);
    const double lower = 6 * (before - (below - second_below) * inverse_h[has_lower ? i - 2 : 0]);
    const double upper = 6 * ((second_above - above) * inverse_h[has_upper ? i + 1 : i] - after);
    return here + taken[i] * lower + taken[n + i] * upper;
  }
};

}  // namespace macrobench::krusell_smith
