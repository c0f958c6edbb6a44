// The tutorial's cpu_lifecycle_multicore: separate processes divide the states of an age. They are
// MPI processes that run processes/worker.cpp. Start-up starts them, as the tutorial's addprocs
// does; a solution is a request to the first of them. As in the tutorial, there may be more of them
// than cores.

#include "implementations/lifecycle/solver.hpp"
#include "implementations/mpi/worker_process.hpp"

namespace macrobench::lifecycle {

namespace {

constexpr const char* worker = "macrobench_lifecycle_worker";

void start(const Problem& problem) {
  mpi::start({.worker = worker, .ranks = problem.processes, .cores = mpi::Cores::shared});
}

const RegisterSolver registered{{.name = "processes",
                                 .origin = Origin::published,
                                 .summary = "C++, MPI processes divide the states of an age",
                                 .axes = {{"processes"}},
                                 .runs_on = RunsOn::other_processes,
                                 .unavailable = [] { return mpi::why_not_here(worker); },
                                 .start = start,
                                 .solve_single = mpi::solve<Problem, Solution<float>, true>,
                                 .solve_double = mpi::solve<Problem, Solution<double>, false>,
                                 .hooks = {.floor = floor_of_every_choice},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
