// The parabolas by several MPI processes, which divide the coefficients: mpi/worker.cpp is the
// solver, and this its registration.

#include "implementations/mpi/worker_process.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

const RegisterSolver registered{
    mpi::on_ranks("macrobench_newton_worker",
                  Solver{.name = "mpi",
                         .origin = Origin::frontier,
                         .summary = "C++, MPI ranks and threads divide the coefficients",
                         .source = __FILE__})};

}  // namespace

}  // namespace macrobench::newton
