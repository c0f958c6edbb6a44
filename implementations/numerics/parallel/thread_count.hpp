#pragma once

#include <omp.h>

#include "harness/model/solver.hpp"

namespace macrobench::numerics {

/// Sets the number of OpenMP threads while in scope, for code that takes it from the calling
/// thread, as Thrust does.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) { omp_set_num_threads(threads); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount() { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};

/// The solver, which starts and solves with as many threads as the problem says.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> on_threads(Solver<Problem, Solution> solver) {
  const auto with_threads = [](auto function) {
    if (!function) return function;
    return decltype(function)([function](const Problem& problem, auto&... rest) {
      const ThreadCount threads(problem.threads);
      function(problem, rest...);
    });
  };
  solver.axes.push_back({"threads"});
  solver.start = with_threads(solver.start);
  solver.solve_single = with_threads(solver.solve_single);
  solver.solve_double = with_threads(solver.solve_double);
  return solver;
}

}  // namespace macrobench::numerics
