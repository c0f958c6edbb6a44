#pragma once

// The RBC model of Aldrich, Fernandez-Villaverde, Gallant and Rubio-Ramirez (2010) and of Aldrich
// (2014, section 4): one household, Cobb-Douglas production, CRRA utility, AR(1) productivity.
//
//   V(K,Z) = max_{K'} { u(Z K^alpha + (1-delta) K - K') + beta sum_{Z'} P(Z,Z') V(K',Z') }
//
// The economics is here, once, for host and device. The loops that solve it are not.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/model/solution_arrays.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench {
class Calibrations;
class GivenNumbers;
}  // namespace macrobench

namespace macrobench::rbc {

/// Table 1 of Aldrich (2014) and Table 2 of the 2010 paper (quarterly), and the grids of the
/// authors' code, which the texts leave out.
struct Calibration {
  double beta = 0.984;   ///< discount factor, in (0, 1)
  double gamma = 2;      ///< relative risk aversion, >= 0; 1 is log utility
  double alpha = 0.35;   ///< capital share, in (0, 1)
  double delta = 0.01;   ///< depreciation rate, in [0, 1]
  double rho = 0.95;     ///< autocorrelation of log productivity, |rho| < 1
  double sigma = 0.005;  ///< standard deviation of its innovation, > 0

  double half_width = 3;    ///< Tauchen: stationary standard deviations to either side
  double grid_low = 0.95;   ///< lowest capital, as a share of Kss at the lowest productivity
  double grid_high = 1.05;  ///< highest capital, as a share of Kss at the highest productivity
};

enum class Maximizer {
  bisection,     ///< binary search over the feasible grid (Heer and Maussner 2005, p. 26)
  grid_howard,   ///< grid search, policy evaluation in all but every 20th iteration
  interpolated,  ///< grid_howard over a fixed future grid, V piecewise linear in between
  first_decline  ///< upwards from the policy one capital point below, until a choice is no better
};

/// Whether policy evaluation takes the place of the search in most iterations.
MACROBENCH_HOST_DEVICE inline bool evaluates_policies(Maximizer maximizer) {
  return maximizer == Maximizer::grid_howard || maximizer == Maximizer::interpolated;
}

/// Productivity in levels, and its transitions.
enum class Chain {
  tauchen,   ///< computed from rho, sigma and half_width
  aruoba_fv  ///< of 5 points, to four decimals, as Aruoba and Fernandez-Villaverde (2015) print it
};

/// What iteration starts from.
enum class Start {
  steady_state,  ///< flow utility at the steady state of each productivity, as published
  zero           ///< V0 = 0, as Aruoba and Fernandez-Villaverde (2015) start
};

/// Maximize in iterations 0, 1, 2 and then in every 20th ("after some fine-tuning").
inline constexpr int howard_period = 20;
MACROBENCH_HOST_DEVICE inline bool maximize_now(int iteration) {
  return iteration < 3 || iteration % howard_period == 0;
}

/// One numerical problem, and how an implementation is asked to solve it.
struct Problem {
  Calibration calibration;
  int nk = 1024;               ///< points of the capital grid, >= 2
  int nz = 4;                  ///< points of the productivity grid, >= 2
  double tolerance = 1.6e-10;  ///< on max |V - V0|: (1 - beta) 1e-8
  int iteration_cap = 5000;    ///< give up after this many value function iterations

  Maximizer maximizer = Maximizer::bisection;
  int future_points = 100;  ///< points of the future grid, `interpolated` only
  Start start = Start::steady_state;
  Chain chain = Chain::tauchen;
  bool monotone = false;  ///< bound the search by the policy one capital point below (2010)
  bool single = false;    ///< precision of V
  int threads = 1;        ///< CPU threads
  int block = 256;        ///< CUDA threads per block
  int gpus = 1;           ///< that divide the capital grid
  int economies = 1;      ///< calibrations to solve for, see economies.hpp
  std::int64_t draw = 1;  ///< which ones
  const Calibrations* calibrations = nullptr;  ///< a user's, instead of drawn ones

  // A user's grids, instead of those that the calibration gives; see make_grids().
  const GivenNumbers* capital = nullptr;
  const GivenNumbers* productivity = nullptr;
  const GivenNumbers* transition = nullptr;

  [[nodiscard]] std::size_t states() const {
    return static_cast<std::size_t>(nk) * static_cast<std::size_t>(nz);
  }
};

/// How the solution of an economy of a batch ended; see Solution.
struct Ending {
  double difference;
  std::int32_t iterations;
  std::int32_t converged;  ///< 1 or 0
};

/// Of a solution's arrays. Of a single economy there are no samples, and no index of economies.
struct Shapes {
  Shape V, endings, sample, sample_policy;
};
Shapes shapes_of(const Problem& problem);

/// What a solver returns. State (K_i, Z_j) is at [j * nk + i]: capital runs fastest, as in the
/// authors' column-major arrays. Of a batch of economies, V and policy are those of the economies
/// that are kept in full, one after the other.
template <class Real>
struct Solution {
  std::vector<Real> V;               ///< value function, shape nz x nk
  std::vector<std::int32_t> policy;  ///< index of K' on the capital (or future) grid, nz x nk
  int iterations = 0;                ///< value function iterations (passes over the full grid)
  double difference = 0;             ///< last max |V - V0| the solver saw
  bool converged = false;            ///< whether the solver says it met the tolerance
  /// Which way the solver took, if it has several: "continuous", "coarse_to_fine", ...
  const char* way = nullptr;

  // Of a batch only, see economies.hpp.
  std::vector<Ending> endings;              ///< of every economy
  std::vector<const char*> ways;            ///< likewise; not stored
  std::vector<Real> sample;                 ///< economies x states_per_sample x sample_size()
  std::vector<std::int32_t> sample_policy;  ///< economies x states_per_sample

  /// Its arrays by name.
  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    const Shapes shapes = shapes_of(problem);
    visit("V", self.V, shapes.V);
    visit("policy", self.policy, shapes.V);
    visit("iterations", self.iterations);
    visit("difference", self.difference);
    visit("converged", self.converged);
    if constexpr (!std::is_const_v<Self>) self.ways.resize(count_of(shapes.endings));
    visit("endings", self.endings, shapes.endings);
    visit("sample", self.sample, shapes.sample);
    visit("sample_policy", self.sample_policy, shapes.sample_policy);
  }
};

/// The grids of a problem, in the requested precision; all arithmetic on them is in double first.
template <class Real>
struct Grids {
  std::vector<Real> K;   ///< capital, shape nk
  std::vector<Real> Z;   ///< productivity levels, shape nz
  std::vector<Real> P;   ///< P[j * nz + l] = Pr(Z_l | Z_j), shape nz x nz, row-major
  std::vector<Real> V0;  ///< what iteration starts from at productivity Z_j, see Start; nz
};

/// Deterministic steady-state capital at productivity Z:
/// ((1/beta - 1 + delta) / (alpha Z))^(1/(alpha-1)).
double steady_state_capital(const Calibration& calibration, double Z);

/// Flow utility there: what is left if capital stays K.
double steady_state_utility(const Calibration& calibration, double K, double Z);

/// The lowest and highest capital: the authors' code puts them at 0.95 Kss(Zmin) and
/// 1.05 Kss(Zmax), where the texts say 0.95 Kss and 1.05 Kss.
struct CapitalRange {
  double low, high;
};
CapitalRange capital_range(const Problem& problem);

/// Whether the points of capital are where a uniform grid has them, except for rounding.
bool has_equal_steps(const Problem& problem);

/// Capital, productivity, transition matrix and the published start. What a user's file gives is
/// used as it is; capital of another size than nk is uniform between its ends.
template <class Real>
Grids<Real> make_grids(const Problem& problem);

/// The uniform grid of future capital that `interpolated` searches; shape future_points.
template <class Real>
std::vector<Real> future_grid(const Problem& problem);

/// The grid from which an array of a solution has choices: that of K', for the policy.
std::vector<double> choices_of(const Problem& problem, std::string_view array);

/// u(c) = c^(1-gamma) / (1-gamma), or log c where gamma = 1. The power is taken at run time, as in
/// the authors' code.
template <class Real>
MACROBENCH_HOST_DEVICE inline Real utility(Real consumption, Real gamma) {
  // Unqualified calls pick the device's overloads under nvcc and the standard ones elsewhere.
  using std::log;
  using std::pow;
  if (gamma == Real(1)) return log(consumption);
  return pow(consumption, Real(1) - gamma) / (Real(1) - gamma);
}

/// resources(), given K^alpha.
template <class Real>
MACROBENCH_HOST_DEVICE inline Real resources_from(Real output, Real K, Real Z, Real delta) {
  return Z * output + (Real(1) - delta) * K;
}

/// What the household can split between consumption and K': Z K^alpha + (1-delta) K.
template <class Real>
MACROBENCH_HOST_DEVICE inline Real resources(Real K, Real Z, Real alpha, Real delta) {
  using std::pow;
  return resources_from(pow(K, alpha), K, Z, delta);
}

/// sum_l P[l] V[l * nk + i]: expected value of leaving with capital i, for one row P of the
/// transition matrix. V has shape nz x nk.
template <class Real>
MACROBENCH_HOST_DEVICE inline Real expected_value(const Real* P, const Real* V, int nk, int nz,
                                                  int i) {
  Real sum = 0;
  for (int l = 0; l < nz; ++l) {
    sum +=
        P[l] *
        V[static_cast<std::size_t>(l) * static_cast<std::size_t>(nk) + static_cast<std::size_t>(i)];
  }
  return sum;
}

/// The index of the last point of the ascending grid that is <= limit, or -1: the feasible set
/// is 0 .. that index.
template <class Real>
MACROBENCH_HOST_DEVICE inline int last_at_or_below(const Real* grid, int n, Real limit) {
  int low = -1;
  int high = n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (grid[middle] <= limit) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace macrobench::rbc
