// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust.hpp"
#include "implementations/numerics/device.cuh"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{{
    .name = "thrust_cuda",
    .origin = Origin::published,
    .summary = "Thrust, CUDA backend",
    .axes = {horizon_of_a_tree()},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = thrust_solver::start<DeviceVector>,
    .solve_double = thrust_solver::solve<DeviceVector>,
    .floor = floor_of_newton,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::beliefs
