// Value function iteration by several MPI processes, which divide capital: mpi/worker.cpp is the
// solver, and this its registration.

#include "implementations/mpi/program.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

constexpr const char* worker = "macrobench_rbc_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.ranks, .threads = problem.threads});
}

const RegisterSolver registered{
    {.name = "mpi",
     .origin = Origin::published,
     .summary = "C++, MPI ranks and threads divide capital",
     .axes = {{"maximizer", {"bisection"}}, {"threads"}, {"ranks"}},
     .runs_on = RunsOn::another_program,
     .unavailable = [] { return mpi::why_not_here(worker); },
     .start = start,
     .solve_single = mpi::solve<Problem, Solution<float>, true>,
     .solve_double = mpi::solve<Problem, Solution<double>, false>,
     .notes = mpi::placement,
     .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
