// Value function iteration by MPI ranks that each drive a GPU: mpi_cuda/worker.cu is the solver,
// which is that of cuda_c_gpus.cuh, and this its registration.

#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/worker_process.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

const RegisterSolver registered{
    mpi::on_gpu_ranks("macrobench_rbc_gpu_worker",
                      Solver{.name = "mpi_cuda",
                             .origin = Origin::frontier,
                             .summary = "CUDA C, MPI ranks of one GPU each divide capital",
                             .axes = {published_maximizers, {"future_points"}, {"block"}},
                             .hooks = {.floor = floor_of_search,
                                       .unavailable = why_no_such_files,
                                       .known_invalid = known_invalid_in_single},
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
