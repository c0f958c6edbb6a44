// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/numerics/device.cuh"
#include "implementations/rbc/solver.hpp"
#include "implementations/rbc/thrust.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{{
    .name = "thrust_cuda",
    .origin = Origin::published,
    .summary = "Thrust, CUDA backend",
    .axes = {published_maximizers, {"future_points"}},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = thrust_solver::start<DeviceVector>,
    .solve_single = thrust_solver::solve<float, DeviceVector>,
    .solve_double = thrust_solver::solve<double, DeviceVector>,
    .floor = floor_of_search,
    .known_invalid = known_invalid_in_single,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
