// Algorithm 2 by several MPI processes, which divide the subtrees: mpi/worker.cpp is the solver,
// and this its registration.

#include "implementations/beliefs/solver.hpp"
#include "implementations/mpi/worker_process.hpp"

namespace macrobench::beliefs {

namespace {

/// Five numbers from each of 1,024 subtrees.
Floor floor_of_ranks(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, 1024 * 5 * sizeof(double));
}

const RegisterSolver registered{mpi::on_ranks(
    "macrobench_beliefs_worker", Solver{.name = "mpi",
                                        .origin = Origin::frontier,
                                        .summary = "C++, MPI ranks and threads divide the subtrees",
                                        .axes = {horizon_of_a_tree()},
                                        .hooks = {.floor = floor_of_ranks},
                                        .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
