// MPI ranks that each drive a GPU divide the coefficients: mpi_cuda/worker.cu is the solver, which
// is that of cuda_c_gpus.cuh, and this its registration.

#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/program.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

constexpr const char* worker = "macrobench_newton_gpu_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.gpus});
}

const RegisterSolver registered{
    {.name = "mpi_cuda",
     .origin = Origin::frontier,
     .summary = "CUDA C, MPI ranks of one GPU each divide the coefficients",
     .axes = {{"block"}, {.name = "gpus", .all = numerics::visible_gpus}},
     .runs_on = RunsOn::gpu,
     .unavailable = [] { return mpi::why_no_gpu_ranks(worker); },
     .problem_unavailable = mpi::too_few_gpus<Problem>,
     .start = start,
     .solve_single = mpi::solve<Problem, Solution<float>, true>,
     .solve_double = mpi::solve<Problem, Solution<double>, false>,
     .floor = floor_of_one_step,
     .notes = mpi::placement,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::newton
