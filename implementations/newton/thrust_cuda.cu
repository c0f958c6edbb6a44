// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/newton/solver.hpp"
#include "implementations/newton/thrust.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::newton {

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
                            .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
