// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

const RegisterSolver registered{
    numerics::on_gpu(Solver{.name = "thrust_cuda",
                            .origin = Origin::published,
                            .summary = "Thrust, CUDA backend",
                            .axes = {horizon_of_a_tree()},
                            .start = thrust_solver::start<DeviceVector>,
                            .solve_double = thrust_solver::solve<DeviceVector>,
                            .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
