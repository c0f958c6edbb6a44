// Algorithm 2 by several MPI processes, which divide the subtrees: mpi/worker.cpp is the solver,
// and this its registration.

#include "implementations/beliefs/solver.hpp"
#include "implementations/mpi/program.hpp"

namespace macrobench::beliefs {

namespace {

constexpr const char* worker = "macrobench_beliefs_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.ranks, .threads = problem.threads});
}

/// Five numbers from each of 1,024 subtrees.
Floor floor_of_ranks(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, 1024 * 5 * sizeof(double));
}

const RegisterSolver registered{{.name = "mpi",
                                 .origin = Origin::frontier,
                                 .summary = "C++, MPI ranks and threads divide the subtrees",
                                 .axes = {horizon_of_a_tree(), {"threads"}, {"ranks"}},
                                 .runs_on = RunsOn::another_program,
                                 .unavailable = [] { return mpi::why_not_here(worker); },
                                 .start = start,
                                 .solve_double = mpi::solve<Problem, Equilibrium, false>,
                                 .floor = floor_of_ranks,
                                 .notes = mpi::placement,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::beliefs
