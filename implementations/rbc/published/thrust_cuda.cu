// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/published/thrust.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "thrust_cuda",
           .origin = Origin::published,
           .summary = "Thrust, CUDA backend",
           .axes = {published_maximizers, {"set_up"}},
           .start = thrust_solver::start<DeviceVector>,
           .solve_single = thrust_solver::solve<float, DeviceVector>,
           .solve_double = thrust_solver::solve<double, DeviceVector>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
