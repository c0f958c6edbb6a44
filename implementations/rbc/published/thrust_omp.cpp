// The Thrust solver on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/numerics/parallel/thread_count.hpp"
#include "implementations/rbc/published/thrust.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

const RegisterSolver registered{numerics::on_threads(
    Solver{.name = "thrust_omp",
           .origin = Origin::published,
           .summary = "Thrust, OpenMP backend",
           .axes = {published_maximizers, {"set_up"}},
           .start = thrust_solver::start<DeviceVector>,
           .solve_single = thrust_solver::solve<float, DeviceVector>,
           .solve_double = thrust_solver::solve<double, DeviceVector>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
