// CUDA C on the GPUs of this process: cuda_c.cuh is the solver, and this its registration.

#include "implementations/numerics/gpus.cuh"
#include "implementations/rbc/cuda_c.cuh"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus gpus(problem.gpus);
  cuda_c::start(problem, gpus);
  Gpus::connect(problem.gpus);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, solution, gpus);
}

const RegisterSolver registered{{
    .name = "cuda_c",
    .origin = Origin::published,
    .summary = "CUDA C, one thread per state",
    .axes = {published_maximizers,
             {"future_points"},
             {"block"},
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
