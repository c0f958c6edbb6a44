// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/numerics/thread_count.hpp"
#include "implementations/rbc/solver.hpp"
#include "implementations/rbc/thrust.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

using numerics::ThreadCount;

void start(const Problem& problem) {
  const ThreadCount threads(problem.threads);
  numerics::OneDevice processor;
  thrust_solver::start<DeviceVector>(problem, processor);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const ThreadCount threads(problem.threads);
  numerics::OneDevice processor;
  thrust_solver::solve<Real, DeviceVector>(problem, stages, solution, processor);
}

const RegisterSolver registered{{
    .name = "thrust_omp",
    .origin = Origin::published,
    .summary = "Thrust, OpenMP backend",
    .axes = {published_maximizers, {"future_points"}, {"threads"}},
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
