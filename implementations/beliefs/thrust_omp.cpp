// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <omp.h>
#include <thrust/system/omp/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust.hpp"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

/// Sets the number of OpenMP threads while in scope, which Thrust takes from the calling thread.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) { omp_set_num_threads(threads); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount() { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};

void start(const Problem& problem) {
  const ThreadCount threads(problem.threads);
  numerics::OneDevice processor;
  thrust_solver::start<DeviceVector>(problem, processor);
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const ThreadCount threads(problem.threads);
  numerics::OneDevice processor;
  thrust_solver::solve<DeviceVector>(problem, stages, equilibrium, processor);
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
