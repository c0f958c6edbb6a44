// The Thrust solver, its set-up in a few copies, on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/corrected/thrust_filled.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "thrust_cuda_filled",
           .origin = Origin::corrected,
           .summary = "thrust_cuda, filled in a few copies, and V0 = V a swap",
           .axes = {published_maximizers},
           .start = thrust_solver::start<DeviceVector>,
           .solve_single = thrust_solver::solve_filled<float, DeviceVector>,
           .solve_double = thrust_solver::solve_filled<double, DeviceVector>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
