// Algorithm 2 by MPI ranks that each drive a GPU: mpi_cuda/worker.cu is the solver, which
// is that of cuda_c_gpus.cuh, and this its registration.

#include "implementations/beliefs/cuda_c_gpus.cuh"
#include "implementations/beliefs/solver.hpp"
#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/program.hpp"

namespace macrobench::beliefs {

namespace {

constexpr const char* worker = "macrobench_beliefs_gpu_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.gpus});
}

Floor floor_of_gpus(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, cuda_c::bytes_per_period);
}

const RegisterSolver registered{
    {.name = "mpi_cuda",
     .origin = Origin::frontier,
     .summary = "CUDA C, MPI ranks of one GPU each divide the nodes of a period",
     .axes = {horizon_of_a_tree(), {"block"}, {.name = "gpus", .all = numerics::visible_gpus}},
     .runs_on = RunsOn::gpu,
     .unavailable = [] { return mpi::why_no_gpu_ranks(worker); },
     .problem_unavailable = mpi::too_few_gpus<Problem>,
     .start = start,
     .solve_double = mpi::solve<Problem, Equilibrium, false>,
     .floor = floor_of_gpus,
     .notes = mpi::placement,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::beliefs
