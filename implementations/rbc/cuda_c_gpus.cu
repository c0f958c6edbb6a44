// CUDA C on the GPUs of this process: cuda_c_gpus.cuh is the solver, and this its registration.

#include "implementations/numerics/gpus.cuh"
#include "implementations/rbc/cuda_c_gpus.cuh"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const numerics::Device&) { cuda_c::start(problem); });
  Gpus::connect(problem.gpus);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, solution, gpus);
}

const RegisterSolver registered{numerics::on_gpus(
    Solver{.name = "cuda_c_gpus",
           .origin = Origin::frontier,
           .summary = "CUDA C, several GPUs divide capital",
           .axes = {published_maximizers, {"future_points"}, {"block"}},
           .start = start,
           .solve_single = solve<float>,
           .solve_double = solve<double>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
