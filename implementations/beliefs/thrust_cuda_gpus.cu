// The GPUs of this process divide each period's nodes: thrust_gpus.hpp is the solver, and this
// its registration.

#include <thrust/system/cuda/vector.h>

#include "implementations/beliefs/solver.hpp"
#include "implementations/beliefs/thrust_gpus.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::beliefs {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const numerics::Device&) {
    thrust_solver::start<DeviceVector>(problem);
  });
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  Gpus gpus(problem.gpus);
  thrust_solver::solve<DeviceVector>(problem, stages, equilibrium, gpus);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "thrust_cuda_gpus",
                             .origin = Origin::frontier,
                             .summary = "Thrust, several GPUs divide the nodes of a period",
                             .axes = {horizon_of_a_tree()},
                             .start = start,
                             .solve_double = solve,
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
