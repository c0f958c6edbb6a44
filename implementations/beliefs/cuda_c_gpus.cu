// The GPUs of this process divide each period's blocks: cuda_c_gpus.cuh is the solver, and this
// its registration.

#include "implementations/beliefs/cuda_c_gpus.cuh"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/gpus.cuh"

namespace macrobench::beliefs {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([](const numerics::Device&) {
    numerics::load_kernels(cuda_c::solve_blocks, sum_blocks);
  });
  Gpus::connect(problem.gpus);
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, equilibrium, gpus);
}

Floor floor_of_gpus(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, cuda_c::bytes_per_period);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "cuda_c_gpus",
                             .origin = Origin::frontier,
                             .summary = "CUDA C, several GPUs divide the nodes of a period",
                             .axes = {horizon_of_a_tree(), {"block"}},
                             .start = start,
                             .solve_double = solve,
                             .hooks = {.floor = floor_of_gpus},
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
