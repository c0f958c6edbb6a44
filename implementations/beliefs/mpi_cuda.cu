// Algorithm 2 by MPI ranks that each drive a GPU: mpi_cuda/worker.cu is the solver, which
// is that of cuda_c_gpus.cuh, and this its registration.

#include "implementations/beliefs/cuda_c_gpus.cuh"
#include "implementations/beliefs/solver.hpp"
#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/worker_process.hpp"

namespace macrobench::beliefs {

namespace {

Floor floor_of_gpus(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, cuda_c::bytes_per_period);
}

const RegisterSolver registered{mpi::on_gpu_ranks(
    "macrobench_beliefs_gpu_worker",
    Solver{.name = "mpi_cuda",
           .origin = Origin::frontier,
           .summary = "CUDA C, MPI ranks of one GPU each divide the nodes of a period",
           .axes = {horizon_of_a_tree(), {"block"}},
           .hooks = {.floor = floor_of_gpus},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
