// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust.hpp"
#include "implementations/numerics/thread_count.hpp"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

using numerics::ThreadCount;

void start(const Problem& problem) {
  const ThreadCount threads(problem.threads);
  thrust_solver::start<DeviceVector>(problem);
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const ThreadCount threads(problem.threads);
  thrust_solver::solve<DeviceVector>(problem, stages, equilibrium);
}

const RegisterSolver registered{{
    .name = "thrust_omp",
    .origin = Origin::published,
    .summary = "Thrust, OpenMP backend",
    .axes = {horizon_of_a_tree(), {"threads"}},
    .start = start,
    .solve_double = solve,
    .floor = floor_of_newton,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::beliefs
