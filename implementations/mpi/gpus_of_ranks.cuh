#pragma once

// What macrobench knows, before it starts ranks, of the GPUs that they are to drive.

#include <string>
#include <utility>

#include "implementations/mpi/worker_process.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/numerics/gpus.cuh"

namespace macrobench::mpi {

/// Empty if ranks can be started that drive GPUs, else the reason.
inline std::string why_no_gpu_ranks(const std::string& worker) {
  const std::string why = numerics::no_gpu_here();
  return why.empty() ? why_not_here(worker) : why;
}

/// As numerics::too_few_gpus(), unless there may be ranks on other hosts: then they count for
/// themselves.
template <class Problem>
std::string too_few_gpus(const Problem& problem) {
  return may_reach_other_hosts() ? "" : numerics::too_few_gpus(problem);
}

/// The solver, whose solutions are those of ranks of a worker, one for each GPU.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> on_gpu_ranks(const std::string& worker,
                                       Solver<Problem, Solution> solver) {
  solver.hooks.unavailable = too_few_gpus<Problem>;
  solver = numerics::on_gpus(std::move(solver));
  solver.unavailable = [worker] { return why_no_gpu_ranks(worker); };
  solver.start = [worker](const Problem& problem) { mpi::start(Job{worker, problem.gpus}); };
  return by_ranks(std::move(solver));
}

}  // namespace macrobench::mpi
