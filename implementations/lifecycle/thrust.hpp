#pragma once

// The life cycle with Thrust, one source for the OpenMP and the CUDA backend: a functor for one
// state, which thrust::transform applies to all states of an age. The tutorial has no such program;
// this is how Aldrich (2014) would write it.
//
// The type of the device vector decides the backend: every algorithm below follows its iterators.

#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform.h>

#include <cstddef>
#include <limits>

#include "harness/model/stages.hpp"
#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle::thrust_solver {

template <class Real, class Number>
struct ValueOfState {
  Household<Real, Number> household;
  const Real* next;

  MACROBENCH_HOST_DEVICE Real operator()(std::ptrdiff_t state) const {
    Real expected = 0;
    return household.value(static_cast<int>(state % household.nx),
                           static_cast<int>(state / household.nx), next, expected);
  }
};

/// Each element of a device vector is initialised, so a run cannot find an earlier result in
/// its memory.
template <template <class> class DeviceVector, class Real, class Number>
void solve_on(const Grids<Number>& grids, const Problem& problem, Stages& stages,
              Solution<Real>& solution) {
  const DeviceVector<Number> x(grids.x);
  const DeviceVector<Number> e(grids.e);
  const DeviceVector<Number> P(grids.P);
  DeviceVector<Real> V(solution.V.size());

  const auto states = static_cast<std::ptrdiff_t>(problem.states());
  ValueOfState<Real, Number> value{
      make_household(problem, thrust::raw_pointer_cast(x.data()),
                     thrust::raw_pointer_cast(e.data()), thrust::raw_pointer_cast(P.data()),
                     -std::numeric_limits<Real>::infinity()),
      nullptr};
  const thrust::counting_iterator<std::ptrdiff_t> first_state(0);
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    const auto V_of_age = V.begin() + (age - 1) * states;
    thrust::transform(first_state, first_state + states, V_of_age, value);
    value.next = thrust::raw_pointer_cast(&*V_of_age);
  }
  stages.enter("copy");
  thrust::copy(V.begin(), V.end(), solution.V.begin());
  stages.finish();
}

template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("arrays");
  with_grids<Real>(problem, [&](const auto& grids) {
    solve_on<DeviceVector>(grids, problem, stages, solution);
  });
}

/// What the papers call start-up: the first device vector.
template <template <class> class DeviceVector>
void start(const Problem& problem) {
  const DeviceVector<double> first(static_cast<std::size_t>(problem.threads));
}

}  // namespace macrobench::lifecycle::thrust_solver
