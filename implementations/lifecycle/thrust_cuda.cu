// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/lifecycle/thrust.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::lifecycle {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{
    numerics::on_gpu(Solver{.name = "thrust_cuda",
                            .origin = Origin::published,
                            .summary = "Thrust, CUDA backend",
                            .start = thrust_solver::start<DeviceVector>,
                            .solve_single = thrust_solver::solve<float, DeviceVector>,
                            .solve_double = thrust_solver::solve<double, DeviceVector>,
                            .hooks = {.floor = floor_of_every_choice},
                            .source = __FILE__})};

}  // namespace

}  // namespace macrobench::lifecycle
