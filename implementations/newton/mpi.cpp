// The parabolas by several MPI processes, which divide the coefficients: mpi/worker.cpp is the
// solver, and this its registration.

#include "implementations/mpi/program.hpp"
#include "implementations/newton/solver.hpp"

namespace macrobench::newton {

namespace {

constexpr const char* worker = "macrobench_newton_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.ranks, .threads = problem.threads});
}

const RegisterSolver registered{{.name = "mpi",
                                 .origin = Origin::frontier,
                                 .summary = "C++, MPI ranks and threads divide the coefficients",
                                 .axes = {{"threads"}, {"ranks"}},
                                 .runs_on = RunsOn::another_program,
                                 .unavailable = [] { return mpi::why_not_here(worker); },
                                 .start = start,
                                 .solve_single = mpi::solve<Problem, Solution<float>, true>,
                                 .solve_double = mpi::solve<Problem, Solution<double>, false>,
                                 .floor = floor_of_one_step,
                                 .notes = mpi::placement,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::newton
