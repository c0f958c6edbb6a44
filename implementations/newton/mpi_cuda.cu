// MPI ranks that each drive a GPU divide the coefficients: mpi_cuda/worker.cu is the solver, which
// is that of cuda_c_gpus.cuh, and this its registration.

#include "implementations/mpi/gpus_of_ranks.cuh"
#include "implementations/mpi/worker_process.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

const RegisterSolver registered{
    mpi::on_gpu_ranks("macrobench_newton_gpu_worker",
                      Solver{.name = "mpi_cuda",
                             .origin = Origin::frontier,
                             .summary = "CUDA C, MPI ranks of one GPU each divide the coefficients",
                             .axes = {{"block"}},
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
