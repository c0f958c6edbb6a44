#pragma once

// Value function iteration with Thrust, one source for the OpenMP and the CUDA backend, as the
// Thrust program of Aldrich (2014, section 4) does it: Algorithm 1, whose steps are numbered below.
// A functor takes one state, and for_each applies it to all of them. The device vectors are set
// element by element from the host, and V0 = V is a copy; thrust_filled.hpp has a few copies and a
// swap instead.
//
// The type of the device vector decides the backend, because every algorithm below follows its
// iterators. So both backends exist in one executable without sharing a type.

#include <thrust/copy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/memory.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/published/one_state.hpp"

namespace macrobench::rbc::thrust_solver {

/// Steps 6 to 13 at one state; Howard's step leaves the policy as it is.
template <class Real, Maximizer maximizer>
struct Step {
  RightHandSide<Real, maximizer> bellman;
  bool maximizes;
  Real* V;
  Real* policy;  ///< its index in the capital grid, as a real number

  MACROBENCH_HOST_DEVICE void operator()(std::int32_t state) const {
    const auto at = bellman.at(std::ptrdiff_t{state});
    if (maximizes) {
      const auto best = bellman.maximize(at);
      V[state] = best.value;
      policy[state] = static_cast<Real>(best.choice);
    } else {
      V[state] = bellman.value(at, static_cast<int>(policy[state]));
    }
  }
};

template <class Real>
struct Distance {
  MACROBENCH_HOST_DEVICE Real operator()(Real a, Real b) const { return std::abs(a - b); }
};

/// Each assignment is a small copy to the device.
template <class Real, class Vector>
void set_one_by_one(const std::vector<Real>& values, Vector& on_device) {
  for (std::size_t i = 0; i < values.size(); ++i) on_device[i] = values[i];
}

/// Step 4: flow utility at the steady state. At each of the nk nz states Z is read twice from the
/// device: with the assignment, three small copies.
template <class Real, template <class> class DeviceVector>
void set_first_guess(const Problem& problem, const DeviceVector<Real>& Z, DeviceVector<Real>& V0) {
  const Calibration& c = problem.calibration;
  const auto nk = static_cast<std::size_t>(problem.nk);
  for (std::size_t i = 0; i < nk; ++i) {
    for (std::size_t j = 0; j < Z.size(); ++j) {
      const double K = steady_state_capital(c, Z[j]);
      V0[i + j * nk] = static_cast<Real>(steady_state_utility(c, K, Z[j]));
    }
  }
}

/// What is on the device. Every element of a device vector is initialised, so a run cannot find an
/// earlier result in its memory.
template <class Real, template <class> class DeviceVector>
struct Arrays {
  explicit Arrays(const Problem& problem) : Arrays(problem, make_grids<Real>(problem)) {}

  DeviceVector<Real> K, Z, P, V, policy, V0;
  DeviceVector<std::int32_t> states;

 private:
  Arrays(const Problem& problem, const Grids<Real>& grids)
      : K(grids.K.size()),
        Z(grids.Z.size()),
        P(grids.P.size()),
        V(problem.states()),
        policy(problem.states()),
        V0(problem.states()),
        states(problem.states()) {
    thrust::sequence(states.begin(), states.end());
    set_one_by_one(grids.Z, Z);
    set_one_by_one(grids.P, P);
    set_one_by_one(grids.K, K);
    set_first_guess<Real, DeviceVector>(problem, Z, V0);
  }
};

template <class Real, Maximizer maximizer, template <class> class DeviceVector>
void iterate(const Problem& problem, Stages& stages, Arrays<Real, DeviceVector>& arrays,
             Solution<Real>& solution) {
  stages.enter("iteration");
  auto& [K, Z, P, V, policy, V0, states] = arrays;
  const auto address = [](auto& vector) { return thrust::raw_pointer_cast(vector.data()); };
  auto bellman = right_hand_side_of<Real, maximizer>(problem, K, Z, P, address);
  bellman.V0 = address(V0);
  int iterations = 0;
  Real difference = std::numeric_limits<Real>::infinity();                         // 1
  while (difference >= problem.tolerance && iterations < problem.iteration_cap) {  // 5
    const bool maximizes = maximizer == Maximizer::bisection || maximize_now(iterations);
    thrust::for_each(states.begin(), states.end(),  // 6 to 13
                     Step<Real, maximizer>{bellman, maximizes, address(V), address(policy)});
    thrust::transform(V.begin(), V.end(), V0.begin(), V0.begin(), Distance<Real>());
    difference = *thrust::max_element(V0.begin(), V0.end());  // 14
    V0 = V;                                                   // 15
    ++iterations;
  }  // 16
  stages.finish();

  solution.iterations = iterations;
  solution.difference = difference;
  solution.converged = difference < problem.tolerance;
  thrust::copy(V.begin(), V.end(), solution.V.begin());
  std::vector<Real> choice(policy.size());
  thrust::copy(policy.begin(), policy.end(), choice.begin());
  std::ranges::transform(choice, solution.policy.begin(),
                         [](Real index) { return static_cast<std::int32_t>(index); });
}

/// Solves the problem on the device where DeviceVector keeps its elements.
template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("set_up");
  Arrays<Real, DeviceVector> arrays(problem);  // 2 to 4
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate<Real, maximizer, DeviceVector>(problem, stages, arrays, solution);
  });
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem) {
  const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
}

}  // namespace macrobench::rbc::thrust_solver
