#pragma once

// Value function iteration with Thrust, one source for the OpenMP and the CUDA backend. After the
// Thrust program of Aldrich (2014, section 4): a functor for one state, which thrust::transform
// applies to all of them.
//
// The type of the device vector decides the backend, because every algorithm below follows its
// iterators. So both backends exist in one program without sharing a type.

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/numerics/host_device.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published_maximizers.hpp"

namespace macrobench::rbc::thrust_solver {

/// The right-hand side of the Bellman equation, in device memory. The choices of K' are the capital
/// grid, or the future grid if V is interpolated.
template <class Real, Maximizer maximizer>
struct Bellman {
  Real alpha, beta, gamma, delta;
  int nk, nz, n_choices;
  Real cells_per_choice;  ///< cells of the capital grid between two choices, `interpolated` only
  const Real *K, *Z, *P, *choices;
  const Real* V0;

  /// Z K^alpha + (1-delta) K and the row of P, at a state.
  struct State {
    Real available;
    const Real* P_row;
  };

  [[nodiscard]] MACROBENCH_HOST_DEVICE State at(std::ptrdiff_t state) const {
    const std::ptrdiff_t j = state / nk;
    return {resources(K[state - j * nk], Z[j], alpha, delta), P + j * nz};
  }

  /// E[V0(K', Z') | Z] at a choice of K'.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Real expectation(const Real* P_row, int choice) const {
    if constexpr (maximizer == Maximizer::interpolated) {
      // Both grids are uniform on the same interval, so positions follow from the index alone.
      const Real position = static_cast<Real>(choice) * cells_per_choice;
      const int cell = static_cast<int>(position);
      const int below = cell < nk - 2 ? cell : nk - 2;
      const Real weight = position - static_cast<Real>(below);
      return (Real(1) - weight) * expected_value(P_row, V0, nk, nz, below) +
             weight * expected_value(P_row, V0, nk, nz, below + 1);
    } else {
      return expected_value(P_row, V0, nk, nz, choice);
    }
  }

  /// u(c) + beta E[V0]
  [[nodiscard]] MACROBENCH_HOST_DEVICE Real value(const State& state, int choice) const {
    return utility(state.available - choices[choice], gamma) +
           beta * expectation(state.P_row, choice);
  }
};

/// The maximum and where it is.
template <class Real>
using Best = thrust::tuple<Real, std::int32_t>;

/// Maps a state to the maximum over K' of the right-hand side, and to the policy that attains it.
template <class Real, Maximizer maximizer>
struct Maximise {
  Bellman<Real, maximizer> bellman;

  MACROBENCH_HOST_DEVICE Best<Real> operator()(std::ptrdiff_t index) const {
    const auto state = bellman.at(index);
    const int feasible = last_at_or_below(bellman.choices, bellman.n_choices, state.available);
    const int last = feasible > 0 ? feasible : 0;
    if constexpr (maximizer == Maximizer::bisection) {
      return bisection(state, 0, last);
    } else {
      return grid_search(state, 0, last);
    }
  }

 private:
  using State = typename Bellman<Real, maximizer>::State;

  /// The first maximum over low .. high.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Best<Real> grid_search(const State& state, int low,
                                                              int high) const {
    Real best = bellman.value(state, low);
    int best_choice = low;
    for (int i = low + 1; i <= high; ++i) {
      const Real candidate = bellman.value(state, i);
      if (candidate > best) {
        best = candidate;
        best_choice = i;
      }
    }
    return {best, best_choice};
  }

  /// The maximum where the right-hand side is concave (Heer and Maussner 2005, p. 26); ties go low.
  [[nodiscard]] MACROBENCH_HOST_DEVICE Best<Real> bisection(const State& state, int low,
                                                            int high) const {
    while (high - low > 2) {
      const int middle = (low + high) / 2;
      if (bellman.value(state, middle + 1) > bellman.value(state, middle)) {
        low = middle;
      } else {
        high = middle + 1;
      }
    }
    return grid_search(state, low, high);
  }
};

/// Maps a state and its policy of an earlier iteration to the right-hand side there.
template <class Real, Maximizer maximizer>
struct Evaluate {
  Bellman<Real, maximizer> bellman;

  MACROBENCH_HOST_DEVICE Real operator()(std::ptrdiff_t state, std::int32_t policy) const {
    return bellman.value(bellman.at(state), policy);
  }
};

template <class Real>
struct Distance {
  MACROBENCH_HOST_DEVICE Real operator()(Real a, Real b) const { return std::abs(a - b); }
};

/// As thrust::maximum, but a NaN on either side is not lost.
template <class Real>
struct Larger {
  MACROBENCH_HOST_DEVICE Real operator()(Real a, Real b) const {
    return a < b || std::isnan(b) ? b : a;
  }
};

/// The grids where DeviceVector keeps its elements; the choices of K' as in Bellman.
template <class Real, template <class> class DeviceVector>
struct DeviceGrids {
  DeviceGrids(const Problem& problem, const Grids<Real>& grids)
      : K(grids.K),
        Z(grids.Z),
        P(grids.P),
        choices(problem.maximizer == Maximizer::interpolated ? future_grid<Real>(problem)
                                                             : grids.K) {}

  DeviceVector<Real> K, Z, P, choices;
};

/// The right-hand side, still without a V0.
template <class Real, Maximizer maximizer, template <class> class DeviceVector>
Bellman<Real, maximizer> bellman_of(const Problem& problem,
                                    const DeviceGrids<Real, DeviceVector>& grids) {
  const Calibration& c = problem.calibration;
  const auto n_choices = static_cast<int>(grids.choices.size());
  return {.alpha = static_cast<Real>(c.alpha),
          .beta = static_cast<Real>(c.beta),
          .gamma = static_cast<Real>(c.gamma),
          .delta = static_cast<Real>(c.delta),
          .nk = problem.nk,
          .nz = problem.nz,
          .n_choices = n_choices,
          .cells_per_choice = static_cast<Real>(problem.nk - 1) / static_cast<Real>(n_choices - 1),
          .K = thrust::raw_pointer_cast(grids.K.data()),
          .Z = thrust::raw_pointer_cast(grids.Z.data()),
          .P = thrust::raw_pointer_cast(grids.P.data()),
          .choices = thrust::raw_pointer_cast(grids.choices.data()),
          .V0 = nullptr};
}

/// What iteration starts from, at every state.
template <class Real, template <class> class DeviceVector>
DeviceVector<Real> start_at_every_state(const Problem& problem, const Grids<Real>& grids) {
  DeviceVector<Real> V0(problem.states());
  for (std::ptrdiff_t j = 0; j < problem.nz; ++j) {
    thrust::fill_n(V0.begin() + j * problem.nk, problem.nk, grids.V0[static_cast<std::size_t>(j)]);
  }
  return V0;
}

/// Every element of a device vector is initialised, so a run cannot find an earlier result in its
/// memory.
template <class Real, Maximizer maximizer, template <class> class DeviceVector>
void iterate(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Grids<Real> grids = make_grids<Real>(problem);
  const DeviceGrids<Real, DeviceVector> on_device(problem, grids);
  auto at_start = start_at_every_state<Real, DeviceVector>(problem, grids);
  DeviceVector<Real> other(problem.states());
  DeviceVector<std::int32_t> policy(problem.states());

  auto bellman = bellman_of<Real, maximizer>(problem, on_device);
  const thrust::counting_iterator<std::ptrdiff_t> first_state(0);
  const auto last_state = first_state + static_cast<std::ptrdiff_t>(problem.states());
  int iterations = 0;
  Real difference = 0;
  bool converged = false;
  for (int k = 0; k < problem.iteration_cap && !converged; ++k) {
    const DeviceVector<Real>& V0 = k % 2 == 0 ? at_start : other;  // V0 = V
    DeviceVector<Real>& V = k % 2 == 0 ? other : at_start;
    bellman.V0 = thrust::raw_pointer_cast(V0.data());
    if (maximizer == Maximizer::bisection || maximise_now(k)) {
      thrust::transform(first_state, last_state,
                        thrust::make_zip_iterator(thrust::make_tuple(V.begin(), policy.begin())),
                        Maximise<Real, maximizer>{bellman});
    } else {
      thrust::transform(first_state, last_state, policy.begin(), V.begin(),
                        Evaluate<Real, maximizer>{bellman});
    }
    difference = thrust::inner_product(V.begin(), V.end(), V0.begin(), Real(0), Larger<Real>(),
                                       Distance<Real>());
    iterations = k + 1;
    converged = difference < problem.tolerance;
  }
  stages.finish();

  solution.iterations = iterations;
  solution.difference = difference;
  solution.converged = converged;
  const DeviceVector<Real>& V = iterations % 2 == 0 ? at_start : other;
  thrust::copy(V.begin(), V.end(), solution.V.begin());
  thrust::copy(policy.begin(), policy.end(), solution.policy.begin());
}

/// Solves the problem on the device where DeviceVector keeps its elements.
template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate<Real, maximizer, DeviceVector>(problem, stages, solution);
  });
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem) {
  const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
}

}  // namespace macrobench::rbc::thrust_solver
