// The Thrust solver on a GPU.

#include <thrust/system/cuda/vector.h>

#include "implementations/numerics/device.cuh"
#include "implementations/numerics/gpus.cuh"
#include "implementations/rbc/solver.hpp"
#include "implementations/rbc/thrust.hpp"

namespace macrobench::rbc {

namespace {

template <class T>
using DeviceVector = thrust::cuda::vector<T>;

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus gpus(problem.gpus);
  thrust_solver::start<DeviceVector>(problem, gpus);
  Gpus::connect(problem.gpus);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  thrust_solver::solve<Real, DeviceVector>(problem, stages, solution, gpus);
}

const RegisterSolver registered{{
    .name = "thrust_cuda",
    .origin = Origin::published,
    .summary = "Thrust, CUDA backend",
    .axes = {published_maximizers,
             {"future_points"},
             {.name = "gpus", .all = numerics::visible_gpus}},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .notes = Gpus::notes,
    .hooks = {.floor = floor_of_search,
              .unavailable = numerics::too_few_gpus<Problem>,
              .known_invalid = known_invalid_in_single},
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
