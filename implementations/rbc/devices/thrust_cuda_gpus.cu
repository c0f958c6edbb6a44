// The Thrust solver on the GPUs of this process: thrust_gpus.hpp is the solver, and this its
// registration.

#include <thrust/system/cuda/vector.h>

#include "implementations/numerics/parallel/gpus.cuh"
#include "implementations/rbc/devices/thrust_gpus.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const numerics::Device&) {
    thrust_solver::start<DeviceVector>(problem);
  });
  Gpus::connect(problem.gpus);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  thrust_solver::solve<Real, DeviceVector>(problem, stages, solution, gpus);
}

const RegisterSolver registered{numerics::on_gpus(
    Solver{.name = "thrust_cuda_gpus",
           .origin = Origin::frontier,
           .summary = "Thrust, several GPUs divide capital",
           .axes = {published_maximizers},
           .start = start,
           .solve_single = solve<float>,
           .solve_double = solve<double>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
