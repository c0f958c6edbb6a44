// Value function iteration by MPI ranks that each drive a GPU: mpi_cuda/worker.cu is the solver,
// which is that of cuda_c.cuh, and this its registration.

#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/program.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

constexpr const char* worker = "macrobench_rbc_gpu_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.gpus});
}

const RegisterSolver registered{{.name = "mpi_cuda",
                                 .origin = Origin::published,
                                 .summary = "CUDA C, MPI ranks of one GPU each divide capital",
                                 .axes = {published_maximizers,
                                          {"future_points"},
                                          {"block"},
                                          {.name = "gpus", .all = numerics::visible_gpus}},
                                 .runs_on = RunsOn::gpu,
                                 .unavailable = [] { return mpi::why_no_gpu_ranks(worker); },
                                 .start = start,
                                 .solve_single = mpi::solve<Problem, Solution<float>, true>,
                                 .solve_double = mpi::solve<Problem, Solution<double>, false>,
                                 .notes = mpi::placement,
                                 .hooks = {.floor = floor_of_search,
                                           .unavailable = mpi::too_few_gpus<Problem>,
                                           .known_invalid = known_invalid_in_single},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
