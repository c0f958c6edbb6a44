// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/newton/solver.hpp"
#include "implementations/newton/thrust.hpp"
#include "implementations/numerics/thread_count.hpp"

namespace macrobench::newton {

namespace {

using numerics::ThreadCount;

template <class T>
using DeviceVector = thrust::omp::vector<T>;

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
                                 .floor = floor_of_one_step,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::newton
