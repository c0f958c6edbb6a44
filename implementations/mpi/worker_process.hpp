#pragma once

// Macrobench's side of a solution by several MPI processes, its ranks: they are started in
// start-up, and a solution is a request to the first of them.
//
// They are started by `mpirun -n RANKS`, or by the environment's MACROBENCH_MPIRUN instead ("mpirun
// --hostfile hosts", "srun --mpi=pmix"), whose words are separated by spaces. Other hosts must be
// of the same kind and have the worker at the same path. MPI settings of the user, in the
// environment or there, take precedence over those made here.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/solver.hpp"
#include "harness/model/stages.hpp"
#include "implementations/mpi/messages.hpp"

namespace macrobench::mpi {

/// How ranks share the cores.
enum class Cores {
  own,    ///< each rank has as many as its threads, or mpirun refuses
  shared  ///< there may be more ranks than cores
};

/// Processes of a worker, an executable in this one's folder.
struct Job {
  std::string worker;
  int ranks = 1;
  int threads = 1;  ///< of each rank
  Cores cores = Cores::own;
};

/// Empty if the worker can be started here, else the reason.
std::string why_not_here(const std::string& worker);

/// Whether ranks may be started on other hosts than this one: by the words of MACROBENCH_MPIRUN, or
/// because this is an allocation of several.
bool may_reach_other_hosts();

/// Starts the ranks, after those of an earlier start have ended, and waits until all of them are
/// there and have their cores. Throws std::runtime_error, with a rank's or mpirun's own words.
void start(const Job& job);

/// What is said of ranks that are ended at a deadline, in one line: which of them did not answer
/// the question what they were doing, what the others `said`, and the last line of their messages
/// `before` that.
std::string words_at_deadline(const std::string& before, const std::string& said, int ranks);

/// Where the ranks are, by name: "ranks", "cores", "numa", "mpi"; of those that drive GPUs
/// "gpus", their UUIDs, and "link", what carries between them. They were started.
std::map<std::string, std::string> placement();

/// Stages by name, and their seconds: the mean over the ranks.
using TimedStages = std::vector<std::pair<std::string, double>>;

/// Sends a request and the arrays that follow it, waits until the last rank has done it, and
/// returns the stages that the ranks timed. Throws std::runtime_error.
TimedStages request(std::string_view message, std::string_view arrays = {});

/// The next bytes of the solution. Throws std::runtime_error.
void receive(char* to, std::size_t size);
template <class Array>
void receive(Array& array) {
  const std::string_view bytes = bytes_of(array);
  receive(const_cast<char*>(bytes.data()), bytes.size());
}
/// Throws std::runtime_error if it has more.
void check_all_received();

/// Visits the arrays of a solution. (nvcc 13 crashes on a generic lambda with a default argument.)
struct Receiving {
  template <class Array>
  void operator()(const char* /*name*/, Array& array, const Shape& /*shape*/ = {}) const {
    receive(array);
  }
};

/// Solves a problem by what the worker was built with. The solution's vectors have their sizes.
template <class Problem, class Solution, bool single>
void solve(const Problem& problem, Stages& stages, Solution& solution) {
  Request<Problem> message;
  message.problem = problem;
  message.single = single;
  const TimedStages timed = request(bytes_of(message));
  stages.finish();
  for (const auto& [stage, seconds] : timed) stages.took(stage, seconds);
  Receiving receiving;
  Solution::each_array(problem, solution, receiving);
  check_all_received();
}

/// The solver, whose solutions are those of the ranks; what it declares itself stays.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> by_ranks(Solver<Problem, Solution> solver) {
  if constexpr (std::is_trivially_copyable_v<Problem>) {
    if constexpr (!std::is_same_v<Solution<float>, Solution<double>>) {
      solver.solve_single = solve<Problem, Solution<float>, true>;
    }
    solver.solve_double = solve<Problem, Solution<double>, false>;
  }
  solver.notes = placement;
  return solver;
}

/// The same of as many ranks of a worker as the problem says, with their threads.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> on_ranks(const std::string& worker, Solver<Problem, Solution> solver) {
  solver.axes.push_back({"threads"});
  solver.axes.push_back({"ranks"});
  solver.runs_on = RunsOn::other_processes;
  solver.unavailable = [worker] { return why_not_here(worker); };
  if (!solver.start) {
    solver.start = [worker](const Problem& problem) {
      mpi::start(Job{worker, problem.ranks, problem.threads});
    };
  }
  return by_ranks(std::move(solver));
}

}  // namespace macrobench::mpi
