#pragma once

// The first example of Aldrich (2014, section 3): where a parabola is highest, for many parabolas,
// by Newton's method.
//
//   max over x of  a x^2 + b x + c,   for n values of a from a_low to a_high, both below 0
//
// The Newton step is here, written once for host and device. The loops over the coefficients are
// not.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::newton {

/// The numbers of the chapter's listings.
struct Problem {
  int n = 1000;          ///< values of a, >= 1
  double a_low = -0.9;   ///< the first of them, < a_high
  double a_high = -0.1;  ///< the last of them, < 0
  double b = 2.3;
  double c = 5.4;  ///< moves no maximum

  double x0 = 2.2;          ///< where Newton's method starts
  double tolerance = 1e-5;  ///< on |x_new - x|
  int iteration_cap = 100;  ///< Newton steps before a coefficient is given up, at most 255

  bool single = false;  ///< precision of x

  int threads = 1;  ///< CPU threads
  int block = 256;  ///< CUDA threads per block
  int gpus = 1;     ///< that divide the coefficients

  [[nodiscard]] std::size_t coefficients() const { return static_cast<std::size_t>(n); }

  /// The step from one value of a to the next. A single value is a_low.
  [[nodiscard]] double spacing() const { return n > 1 ? (a_high - a_low) / (n - 1) : 0; }
};

/// What a solver returns, in the order of the coefficients.
template <class Real>
struct Solution {
  std::vector<Real> argmax;         ///< shape n; NaN where Newton's method did not converge
  std::vector<std::uint8_t> steps;  ///< Newton steps taken, shape n

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    visit("argmax", self.argmax, {{"a", problem.coefficients()}});
    visit("steps", self.steps, {{"a", problem.coefficients()}});
  }
};

template <class Real>
struct Maximum {
  Real x;  ///< NaN if the cap came first
  std::uint8_t steps;
};

/// The chapter's maxPoly: maps a to the x at which a x^2 + b x + c is highest.
template <class Real>
class MaxPoly {
 public:
  explicit MaxPoly(const Problem& problem)
      : b_(static_cast<Real>(problem.b)),
        x0_(static_cast<Real>(problem.x0)),
        tolerance_(static_cast<Real>(problem.tolerance)),
        iteration_cap_(problem.iteration_cap) {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE Maximum<Real> operator()(Real a) const {
    // Unqualified, so that nvcc picks the device function.
    using std::abs;
    Real x = x0_;
    Real difference = tolerance_ + 1;
    int steps = 0;
    while (difference > tolerance_ && steps < iteration_cap_) {
      const Real first_derivative = 2 * a * x + b_;
      const Real second_derivative = 2 * a;
      const Real x_new = x - first_derivative / second_derivative;
      difference = abs(x_new - x);
      x = x_new;
      ++steps;
    }
    return {difference <= tolerance_ ? x : static_cast<Real>(NAN),
            static_cast<std::uint8_t>(steps)};
  }

 private:
  Real b_, x0_, tolerance_;
  int iteration_cap_;
};

}  // namespace macrobench::newton
