// The GPUs of this process divide the coefficients: thrust_gpus.hpp is the solver, and this its
// registration.

#include <thrust/system/cuda/vector.h>

#include "implementations/newton/solver.hpp"
#include "implementations/newton/thrust_gpus.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::newton {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const numerics::Device&) {
    thrust_solver::start<DeviceVector>(problem);
  });
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  thrust_solver::solve<Real, DeviceVector>(problem, stages, solution, gpus);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "thrust_cuda_gpus",
                             .origin = Origin::frontier,
                             .summary = "Thrust, several GPUs divide the coefficients",
                             .start = start,
                             .solve_single = solve<float>,
                             .solve_double = solve<double>,
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
