// The Thrust solver, its set-up in a few copies, on CPU threads.

// Otherwise Thrust's headers would need those of CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP

#include <thrust/system/omp/vector.h>

#include "implementations/numerics/parallel/thread_count.hpp"
#include "implementations/rbc/corrected/thrust_filled.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::omp::vector<T>;

const RegisterSolver registered{numerics::on_threads(
    Solver{.name = "thrust_omp_filled",
           .origin = Origin::corrected,
           .summary = "thrust_omp, filled in a few copies, and V0 = V a swap",
           .axes = {published_maximizers},
           .start = thrust_solver::start<DeviceVector>,
           .solve_single = thrust_solver::solve_filled<float, DeviceVector>,
           .solve_double = thrust_solver::solve_filled<double, DeviceVector>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
