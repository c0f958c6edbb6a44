// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/lifecycle/thrust.hpp"
#include "implementations/numerics/parallel/thread_count.hpp"

namespace macrobench::lifecycle {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

const RegisterSolver registered{
    numerics::on_threads(Solver{.name = "thrust_omp",
                                .origin = Origin::published,
                                .summary = "Thrust, OpenMP backend",
                                .start = thrust_solver::start<DeviceVector>,
                                .solve_single = thrust_solver::solve<float, DeviceVector>,
                                .solve_double = thrust_solver::solve<double, DeviceVector>,
                                .hooks = {.floor = floor_of_every_choice},
                                .source = __FILE__})};

}  // namespace

}  // namespace macrobench::lifecycle
