#pragma once

// The Thrust program with future capital on a grid of its own (interpolated.hpp): the loop of
// thrust.hpp on these choices.

#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/interpolated.hpp"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/published/thrust.hpp"

namespace macrobench::rbc::thrust_solver {

template <class Real, template <class> class DeviceVector>
void solve_interpolated(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("set_up");
  Arrays<Real, DeviceVector> arrays(problem);
  const std::vector<Real> future = future_grid<Real>(problem);
  DeviceVector<Real> choices(future.size());
  set_one_by_one(future, choices);
  iterate<Real, Maximizer::interpolated, DeviceVector>(problem, stages, arrays, choices, solution);
}

/// By any of the published maximizers.
template <class Real, template <class> class DeviceVector>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    if constexpr (maximizer == Maximizer::interpolated) {
      solve_interpolated<Real, DeviceVector>(problem, stages, solution);
    } else {
      solve_on_capital_grid<Real, maximizer, DeviceVector>(problem, stages, solution);
    }
  });
}

}  // namespace macrobench::rbc::thrust_solver
