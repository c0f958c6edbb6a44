#pragma once

// Not-a-knot splines that threads find together: on a device, or on the host as on a device.

#include <cstddef>
#include <vector>

#include "implementations/numerics/methods/not_a_knot_spline.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

/// A thread that finds a spline alone. A warp's lanes find one together.
struct Alone {
  MACROBENCH_HOST_DEVICE static int lane() { return 0; }
  MACROBENCH_HOST_DEVICE static int lanes() { return 1; }
  MACROBENCH_HOST_DEVICE static void sync_lanes() {}
  /// The neighboring lane's number, or 0 at the end of the lanes.
  MACROBENCH_HOST_DEVICE static double of_lane_before(double /*mine*/) { return 0; }
  MACROBENCH_HOST_DEVICE static double of_lane_after(double /*mine*/) { return 0; }
};

/// A not-a-knot spline's points and eliminated system, in the memory of who uses it.
struct SplineView {
  int n;
  int reach;  ///< points after which what the elimination carries over is below rounding
  const double *x, *inverse_h;
  const double* sixth;                           ///< h^2 / 6
  const double *factor, *inverse_pivot, *upper;  ///< the upper entries times the inverse pivots

  /// How far this spline's elimination reaches, in points.
  static int reach_of(const numerics::NotAKnotSpline& spline);

  /// What a view refers to, constants(n) numbers.
  static std::vector<double> constants_of(const numerics::NotAKnotSpline& spline);

  MACROBENCH_HOST_DEVICE static std::ptrdiff_t constants(std::ptrdiff_t points) {
    return 6 * points;
  }

  MACROBENCH_HOST_DEVICE SplineView(const double* all, std::ptrdiff_t points, int its_reach)
      : n(static_cast<int>(points)),
        reach(its_reach),
        x(all),
        inverse_h(all + points),
        sixth(all + 2 * points),
        factor(all + 3 * points),
        inverse_pivot(all + 4 * points),
        upper(all + 5 * points) {}

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

  /// The second derivatives m of a function with values y, both `apart` numbers from one point to
  /// the next. Each lane has some neighbors. It eliminates as if nothing came before them; what
  /// does come is passed on from lane to lane as far as it reaches; then it eliminates once more.
  template <class Lanes>
  MACROBENCH_HOST_DEVICE void curvature(const Lanes& lanes, const double* y, double* m,
                                        std::ptrdiff_t apart) const {
    const int all = n - 2;
    // An odd share, so that lanes are in different banks.
    const int share = lanes.lanes() == 1 ? all : (all + lanes.lanes() - 1) / lanes.lanes() | 1;
    const int rounds = lanes.lanes() == 1 ? 0 : (reach + share - 1) / share;
    const int first = 1 + lanes.lane() * share;
    const int left = n - 1 - first;
    const int count = left < 0 ? 0 : left < share ? left : share;
    const int last = first + count - 1;

    double own = 0;     // what this lane's points carry over
    double passed = 1;  // of what came before them
    const auto add = [&](const Terms& terms) {
      own = terms.here - terms.carries * own;
      passed *= -terms.carries;
    };
    sweep(
        first, 1, count,
        [&](int i) {
          const double here = y[i * apart];
          const double slope = (here - y[(i - 1) * apart]) * inverse_h[i - 1];
          return Terms{6 * ((y[(i + 1) * apart] - here) * inverse_h[i] - slope), factor[i]};
        },
        [&](int i, const Terms& terms) {
          m[i * apart] = terms.here;
          add(terms);
        });
    double carried = 0;
    for (int round = 0; round < rounds; ++round) {
      carried = lanes.of_lane_before(own + passed * carried);
    }
    const auto keep = [&](int i, const Terms& terms) {
      carried = terms.here - terms.carries * carried;
      m[i * apart] = carried;
    };
    sweep(first, 1, count, [&](int i) { return Terms{m[i * apart], factor[i]}; }, keep);

    const auto back = [&](int i) { return Terms{m[i * apart] * inverse_pivot[i], upper[i]}; };
    own = 0;
    passed = 1;
    if (rounds > 0)
      sweep(last, -1, count, back, [&](int /*i*/, const Terms& terms) { add(terms); });
    carried = 0;
    for (int round = 0; round < rounds; ++round) {
      carried = lanes.of_lane_after(own + passed * carried);
    }
    sweep(last, -1, count, back, keep);

    // Each end is on the line through the next two.
    lanes.sync_lanes();
    const auto end = [&](int i, int inwards, double ratio) {
      const double next = m[(i + inwards) * apart];
      m[i * apart] = next + ratio * (next - m[(i + 2 * inwards) * apart]);
    };
    if (lanes.lane() == 0) end(0, 1, (x[1] - x[0]) * inverse_h[1]);
    if (lanes.lane() == lanes.lanes() - 1) {
      end(n - 1, -1, (x[n - 1] - x[n - 2]) * inverse_h[n - 3]);
    }
  }

 private:
  /// What a step of the elimination needs: its right side, and how much of the last it carries.
  struct Terms {
    double here, carries;
  };

  /// Calls step(i, read(i)) for i = begin, begin + by, ..., `count` of them. What a batch of steps
  /// needs is read before them, because each step waits for the last.
  template <class Read, class Step>
  MACROBENCH_HOST_DEVICE static void sweep(int begin, int by, int count, const Read& read,
                                           const Step& step) {
    constexpr int batch = 6;
    for (int done = 0; done < count; done += batch) {
      Terms terms[batch];
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        terms[b] = read(begin + by * (done + b < count ? done + b : count - 1));
      }
      MACROBENCH_UNROLL
      for (int b = 0; b < batch; ++b) {
        if (done + b < count) step(begin + by * (done + b), terms[b]);
      }
    }
  }
};

}  // namespace macrobench::krusell_smith
