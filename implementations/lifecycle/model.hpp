#pragma once

// The life cycle of Oswald's tutorial "Using the GPU to do Value Function Iteration", after
// Fernandez-Villaverde and Zarruk (2018): savings x, a shock e, ages 1 .. T, no bequest.
//
//   V_a(x,e) = max_{x'} { u((1+r) x + w e - x') + beta sum_{e'} P(e,e') V_{a+1}(x',e') }
//
// The economics is here, written once for host and device. The loops that solve it are not.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/model/solution_arrays.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench {
class Calibrations;
}

namespace macrobench::lifecycle {

/// The tutorial's param().
struct Calibration {
  double xmin = 0.1;           ///< lowest savings
  double xmax = 4;             ///< highest savings
  double sigma_eps = 0.02058;  ///< standard deviation of the shock's innovation, > 0
  double lambda_eps = 0.99;    ///< its autocorrelation, |lambda_eps| < 1
  double half_width = 1.5;     ///< Tauchen's m: stationary standard deviations to either side
  double sigma = 2;            ///< relative risk aversion, >= 0; 1 is log utility
  double beta = 0.97;          ///< discount factor, in (0, 1]
  double r = 0.07;             ///< interest rate, > -1
  double w = 5;                ///< wage
};

enum class Recursion {
  as_published,  ///< the expectation is never reset: it adds up over the choices of x'
  corrected      ///< each choice has its own expectation
};

/// One numerical problem, and how an implementation should solve it.
struct Problem {
  Calibration calibration;
  int nx = 1500;  ///< points of the savings grid, >= 2
  int ne = 15;    ///< points of the shock grid, >= 2
  int T = 10;     ///< ages, >= 1
  Recursion recursion = Recursion::corrected;
  bool single = false;              ///< precision of V
  bool grids_in_real = false;       ///< the grids are in it too, see make_grids()
  bool constants_are_read = false;  ///< of `zarruk`: sigma and ne are not compiled in
  /// Programs: a choice's expectation is computed again at each state, as published.
  bool expects_per_choice = false;

  int economies = 1;                           ///< calibrations to solve for, see economies.hpp
  std::int64_t draw = 1;                       ///< which ones
  const Calibrations* calibrations = nullptr;  ///< a user's, instead of drawn ones

  int threads = 1;    ///< CPU threads
  int processes = 1;  ///< that divide the states
  int blocks = 256;   ///< CUDA blocks
  int block = 0;      ///< CUDA threads per block; 0 is the tutorial's ceil(nx ne / 256)
  bool arrays_beforehand = false;  ///< the device arrays are part of start-up, not of a solution

  /// (x, e) at one age.
  [[nodiscard]] std::size_t states() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ne);
  }
  /// Whether the grids are in double.
  [[nodiscard]] bool has_double_grids() const { return grids_in_real && !single; }
  [[nodiscard]] int threads_a_block() const { return block > 0 ? block : (nx * ne + 255) / 256; }
};

/// Of a solution's arrays. Of a single economy there are no samples, and no index of economies.
struct Shapes {
  Shape V, sample, sample_choice;
};
Shapes shapes_of(const Problem& problem);

/// What a solver returns. V_age(x_ix, e_ie) is at [((age-1) ne + ie) nx + ix]: savings run fastest,
/// as in the tutorial's column-major array nx x ne x T. Of a batch of economies, V is that of the
/// economies that are kept in full, one after the other.
template <class Real>
struct Solution {
  std::vector<Real> V;  ///< shape T x ne x nx

  // Of a batch only, see economies.hpp.
  std::vector<Real> sample;                 ///< economies x states_per_sample x sample_size()
  std::vector<std::int32_t> sample_choice;  ///< economies x states_per_sample

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    const Shapes shapes = shapes_of(problem);
    visit("V", self.V, shapes.V);
    visit("sample", self.sample, shapes.sample);
    visit("sample_choice", self.sample_choice, shapes.sample_choice);
  }
};

/// The tutorial keeps all three in single precision, on the CPU too.
template <class Number>
struct Grids {
  std::vector<Number> x;  ///< savings, uniform on [xmin, xmax], shape nx
  std::vector<Number> e;  ///< shocks in levels, shape ne
  std::vector<Number> P;  ///< P[i * ne + j] = Pr(e_j | e_i), shape ne x ne, row-major
};

/// Tauchen's chain. In single precision as param() writes it, where each row's differences are
/// taken of grid points made in double and rounded; or if the problem has its grids in the
/// precision of V, all in that arithmetic, as Fernandez-Villaverde and Zarruk's programs.
template <class Number>
Grids<Number> make_grids(const Problem& problem);

/// Calls use(grids) with the problem's, for V in `Real`.
template <class Real, class Use>
void with_grids(const Problem& problem, const Use& use) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (problem.has_double_grids()) return use(make_grids<double>(problem));
  }
  use(make_grids<float>(problem));
}

/// The same numbers in double, whatever precision they have.
Grids<double> grids_in_double(const Problem& problem);

/// The stage of a solution to which an age belongs. The last age has no expectation and is cheaper
/// than the others, and age 2 is the one that the tutorial times separately.
inline const char* stage_of(int age, int T) {
  return age == T ? "last_age" : age == 2 ? "age_2" : "other_ages";
}

/// u(c) = c^(1-sigma) / (1-sigma), or log c if sigma = 1. A whole power is a product, as Julia
/// computes it for an integer sigma.
template <class Real>
class Utility {
 public:
  explicit Utility(double sigma)
      : power_(static_cast<Real>(1 - sigma)),
        whole_(sigma == std::floor(sigma) && sigma <= 16 ? static_cast<int>(sigma) - 1 : -1) {}

  [[nodiscard]] MACROBENCH_HOST_DEVICE Real operator()(Real c) const {
    // Unqualified, so that nvcc picks the device function.
    using std::log;
    using std::pow;
    if (whole_ == 0) return log(c);
    if (whole_ < 0) return pow(c, power_) / power_;
    Real product = c;
    for (int k = 1; k < whole_; ++k) product *= c;
    return 1 / (product * power_);
  }

 private:
  Real power_;
  int whole_;  ///< sigma - 1 if that is a small whole number, else -1
};

/// What the household can split between consumption and x': (1+r) x + w e. The wage's product is
/// in the grids' precision, the sum in double.
template <class Number>
MACROBENCH_HOST_DEVICE double resources(Number x, Number e, double r, double w) {
  return (1 + r) * static_cast<double>(x) + static_cast<double>(e * static_cast<Number>(w));
}

/// The same at a point of grids_in_double().
inline double resources_of(const Problem& problem, double x, double e) {
  const Calibration& c = problem.calibration;
  return problem.has_double_grids()
             ? resources(x, e, c.r, c.w)
             : resources(static_cast<float>(x), static_cast<float>(e), c.r, c.w);
}

/// The tutorial's v(): the value of one state by a search over every choice. It is copied to where
/// it runs, as are the arrays.
///
/// In single precision consumption, utility and the expectation are single, and the rest is double:
/// the tutorial's mixture on the GPU.
template <class Real, class Number = float>
struct Household {
  const Number *x, *e, *P;
  int nx, ne;
  double r, w, beta;
  Utility<Real> utility;
  Real infeasible;  ///< the value of a choice that leaves nothing to consume
  bool accumulates;

  /// V at (x_ix, e_ie). `next` is V of the next age, shape ne x nx; null at age T. `expected` is
  /// the start of the expectation, and receives its end.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Real value(int ix, int ie, const Real* next,
                                                  Real& expected) const {
    const double available = resources(x[ix], e[ie], r, w);
    const Number* row = P + static_cast<std::ptrdiff_t>(ie) * ne;
    auto best = static_cast<double>(infeasible);
    for (int jx = 0; jx < nx; ++jx) {
      if (next != nullptr) {
        if (!accumulates) expected = 0;
        for (int je = 0; je < ne; ++je) {
          expected += row[je] * next[static_cast<std::ptrdiff_t>(je) * nx + jx];
        }
      }
      const Real consumption = static_cast<Real>(available - static_cast<double>(x[jx]));
      double worth =
          static_cast<double>(utility(consumption)) + beta * static_cast<double>(expected);
      if (consumption <= 0) worth = static_cast<double>(infeasible);
      if (worth >= best) best = worth;
    }
    return static_cast<Real>(best);
  }
};

/// The household whose arrays are these, on the host or on the device.
template <class Real, class Number>
Household<Real, Number> make_household(const Problem& problem, const Number* x, const Number* e,
                                       const Number* P, Real infeasible) {
  const Calibration& c = problem.calibration;
  return {.x = x,
          .e = e,
          .P = P,
          .nx = problem.nx,
          .ne = problem.ne,
          .r = c.r,
          .w = c.w,
          .beta = c.beta,
          .utility = Utility<Real>(c.sigma),
          .infeasible = infeasible,
          .accumulates = problem.recursion == Recursion::as_published};
}

}  // namespace macrobench::lifecycle
