// Value function iteration by several MPI processes, which divide capital: mpi/worker.cpp is the
// solver, and this its registration.

#include "implementations/mpi/worker_process.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

const RegisterSolver registered{mpi::on_ranks(
    "macrobench_rbc_worker", Solver{.name = "mpi",
                                    .origin = Origin::frontier,
                                    .summary = "C++, MPI ranks and threads divide capital",
                                    .axes = {{"maximizer", {"bisection"}}},
                                    .hooks = {.floor = floor_of_search,
                                              .unavailable = why_no_such_files,
                                              .known_invalid = known_invalid_in_single},
                                    .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
