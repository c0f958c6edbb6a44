#pragma once

// The Thrust program of thrust.hpp, whose set-up is a few copies, and whose V0 = V is a swap.

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
#include "implementations/numerics/parallel/host_device.hpp"
#include "implementations/rbc/corrected/device_grids.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/published/one_state.hpp"
#include "implementations/rbc/published/thrust.hpp"

namespace macrobench::rbc::thrust_solver {

/// Maps a state to the maximum over K' of the right-hand side, and to the policy that attains it.
template <class Real, Maximizer maximizer>
struct Maximize {
  RightHandSide<Real, maximizer> bellman;

  MACROBENCH_HOST_DEVICE thrust::tuple<Real, std::int32_t> operator()(std::ptrdiff_t state) const {
    const auto best = bellman.maximize(bellman.at(state));
    return {best.value, best.choice};
  }
};

/// Maps a state and its policy of an earlier iteration to the right-hand side there.
template <class Real, Maximizer maximizer>
struct Evaluate {
  RightHandSide<Real, maximizer> bellman;

  MACROBENCH_HOST_DEVICE Real operator()(std::ptrdiff_t state, std::int32_t policy) const {
    return bellman.value(bellman.at(state), policy);
  }
};

/// As thrust::maximum, but a NaN on either side is not lost.
template <class Real>
struct Larger {
  MACROBENCH_HOST_DEVICE Real operator()(Real a, Real b) const {
    return a < b || std::isnan(b) ? b : a;
  }
};

/// The right-hand side with the grids where DeviceVector keeps its elements.
template <class Real, Maximizer maximizer, class Vector>
RightHandSide<Real, maximizer> bellman_of(const Problem& problem,
                                          const DeviceGrids<Vector>& grids) {
  return right_hand_side_of<Real, maximizer>(
      problem, grids.K, grids.Z, grids.P,
      [](const Vector& vector) { return thrust::raw_pointer_cast(vector.data()); });
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
void iterate_filled(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Grids<Real> grids = make_grids<Real>(problem);
  const DeviceGrids<DeviceVector<Real>> on_device(grids);
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
    if (maximizer == Maximizer::bisection || maximize_now(k)) {
      thrust::transform(first_state, last_state,
                        thrust::make_zip_iterator(thrust::make_tuple(V.begin(), policy.begin())),
                        Maximize<Real, maximizer>{bellman});
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
void solve_filled(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate_filled<Real, maximizer, DeviceVector>(problem, stages, solution);
  });
}

}  // namespace macrobench::rbc::thrust_solver
