// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust.hpp"
#include "implementations/numerics/parallel/thread_count.hpp"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

const RegisterSolver registered{
    numerics::on_threads(Solver{.name = "thrust_omp",
                                .origin = Origin::published,
                                .summary = "Thrust, OpenMP backend",
                                .axes = {horizon_of_a_tree()},
                                .start = thrust_solver::start<DeviceVector>,
                                .solve_double = thrust_solver::solve<DeviceVector>,
                                .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
