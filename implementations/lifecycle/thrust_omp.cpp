// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/lifecycle/thrust.hpp"
#include "implementations/numerics/thread_count.hpp"

namespace macrobench::lifecycle {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

using numerics::ThreadCount;

void start(const Problem& problem) {
  const ThreadCount threads(problem.threads);
  thrust_solver::start<DeviceVector>(problem);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const ThreadCount threads(problem.threads);
  thrust_solver::solve<Real, DeviceVector>(problem, stages, solution);
}

const RegisterSolver registered{{.name = "thrust_omp",
                                 .origin = Origin::published,
                                 .summary = "Thrust, OpenMP backend",
                                 .axes = {{"threads"}},
                                 .start = start,
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .floor = floor_of_every_choice,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
