// The best solver that we know on a CPU, for every parameter.
//
// It has three ways; Solution::way says which one was taken:
//
//   "continuous"      The continuous problem first (continuous.hpp), about 50 numbers and .1 ms,
//                     then the loss from rounding capital to the grid (rounding.hpp). On a fine
//                     grid that loss is within the tolerance at once; otherwise it takes two or
//                     three passes. On a coarse grid the rounding is too large for its local
//                     expansion and for single precision; its losses are tabulated
//                     (nearest_choices.hpp). If neither holds, discrete.hpp starts from the
//                     continuous solution.
//                     This way needs an interior, rising policy and a smooth V. solve_continuous()
//                     proves both or returns nothing, for example if the policy reaches an edge of
//                     the grid (the default calibration with rho <= .9).
//   "coarse_to_fine"  discrete.hpp on grids of .., nk/4, nk/2 and nk points, each started from the
//                     one before. Needs only increasing differences, and so always works in exact
//                     arithmetic.
//   "exhaustive"      Policy iteration that searches the whole feasible set at every state. For
//                     tiny grids, and for cases where rounding breaks the previous way.
//
// In every way, convergence is decided by the range of T V - V over all states of the fine grid, at
// the very V that is returned, centred by the MacQueen-Porteus shift.
//
// All arithmetic that V depends on is in double, or in single on differences of 1e-9 of V; V is
// rounded once, at the end. So single precision is valid at every nk. Its target is never below a
// quarter of a unit in the last place of V, because rounding would undo it.

#include "implementations/rbc/frontier/cpu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/frontier/discrete.hpp"
#include "implementations/rbc/frontier/nearest_choices.hpp"
#include "implementations/rbc/frontier/rounding.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

constexpr int tiny = 38;      // points: an exhaustive search costs less than the continuous problem
constexpr int few = 1024;     // points: fewer are mostly too coarse for rounding.hpp
constexpr int coarsest = 64;  // points that need no coarser grid
constexpr int coarser = 2;    // points of a grid for each point of the one below

struct Progress {
  double passes = 0;
  double difference = 0;
  bool converged = false;

  void add(const DiscreteSolver& solver, double share) {
    passes += share * solver.passes();
    difference = solver.difference();
  }
};

/// Fills V and the policy by grids each `coarser` times as fine as the one before.
Progress coarse_to_fine(const Problem& problem, double* V, std::int32_t* policy) {
  std::vector<int> sizes{problem.nk};
  while (sizes.back() > coarsest) sizes.push_back((sizes.back() - 1) / coarser + 1);

  Progress progress;
  std::vector<double> coarse_V;
  std::vector<std::int32_t> coarse_policy;
  for (std::size_t level = sizes.size(); level-- > 0;) {
    Problem grid = problem;
    grid.nk = sizes[level];
    const double share = static_cast<double>(grid.nk) / problem.nk;
    const double passes_left = (problem.iteration_cap - progress.passes) / share;
    std::vector<double> own_V(level > 0 ? grid.states() : 0);
    std::vector<std::int32_t> own_policy(own_V.size());
    DiscreteSolver solver(grid, level > 0 ? own_V.data() : V,
                          level > 0 ? own_policy.data() : policy);
    if (level + 1 == sizes.size()) {
      solver.start_from_nothing();
      progress.converged = solver.solve(problem.tolerance, passes_left, Search::all);
    } else {
      solver.start_from(coarse_V.data(), coarse_policy.data(), sizes[level + 1]);
      if (level > 0) {
        solver.approximate(problem.tolerance, passes_left);
      } else {
        progress.converged = solver.solve(problem.tolerance, passes_left, Search::divide);
      }
    }
    progress.add(solver, share);
    coarse_V.swap(own_V);
    coarse_policy.swap(own_policy);
  }
  return progress;
}

/// The discrete problem in double; the way it went.
const char* solve_discrete(const Problem& problem, const std::optional<ContinuousSolution>& start,
                           double* V, std::int32_t* policy, Progress& progress) {
  if (start && problem.nk > coarsest) {
    DiscreteSolver solver(problem, V, policy);
    solver.start_from(*start);
    progress.converged = solver.solve(problem.tolerance, problem.iteration_cap, Search::divide);
    progress.add(solver, 1);
    return "continuous";
  }
  Problem half = problem;
  half.iteration_cap = std::max(1, problem.iteration_cap / 2);
  progress = coarse_to_fine(half, V, policy);
  if (progress.converged) return problem.nk > coarsest ? "coarse_to_fine" : "exhaustive";
  DiscreteSolver solver(problem, V, policy);
  solver.start_from(V, policy, problem.nk);
  progress.converged =
      solver.solve(problem.tolerance, problem.iteration_cap - progress.passes, Search::all);
  progress.add(solver, 1);
  return "exhaustive";
}

}  // namespace

template <class Real>
void solve_frontier(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("continuous");
  std::optional<ContinuousSolution> continuous;
  if (problem.nk > tiny) continuous = solve_continuous(problem);

  Problem target = problem;
  if (continuous) {
    const Real largest = static_cast<Real>(continuous->scale);
    const Real next = std::nextafter(largest, std::numeric_limits<Real>::infinity());
    target.tolerance = std::max(problem.tolerance, static_cast<double>(next - largest) / 4);

    stages.enter("rounding");
    const auto solved_by = [&](auto& loss) {
      if (!loss.solve(target.tolerance, problem.iteration_cap, solution.V.data(),
                      solution.policy.data())) {
        return false;
      }
      solution.way = "continuous";
      solution.iterations = static_cast<int>(std::ceil(loss.passes()));
      solution.difference = loss.difference();
      solution.converged = true;
      return true;
    };
    if (problem.nk >= few) {
      RoundingLoss loss(target, *continuous);
      if (loss.describes(target.tolerance) && solved_by(loss)) return;
    }
    NearestChoices loss(target, *continuous);
    if (solved_by(loss)) return;
  }

  stages.enter("discrete");
  Progress progress;
  if constexpr (std::is_same_v<Real, double>) {
    solution.way =
        solve_discrete(target, continuous, solution.V.data(), solution.policy.data(), progress);
  } else {
    std::vector<double> V(problem.states());
    solution.way = solve_discrete(target, continuous, V.data(), solution.policy.data(), progress);
    for (std::size_t state = 0; state < V.size(); ++state) {
      solution.V[state] = static_cast<Real>(V[state]);
      // Values of 1e40 and more (consumption near zero) have no place in single precision.
      if (!std::isfinite(solution.V[state])) progress.converged = false;
    }
  }
  solution.iterations = static_cast<int>(std::ceil(progress.passes));
  solution.difference = progress.difference;
  solution.converged = progress.converged;
}

template void solve_frontier(const Problem&, Stages&, Solution<float>&);
template void solve_frontier(const Problem&, Stages&, Solution<double>&);

namespace {

/// Of a batch, each economy by itself on one thread.
template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (problem.economies == 1) return solve_frontier(problem, stages, solution);
  stages.enter("economies");
  numerics::for_each_economy(problem.economies, problem.threads, [&] {
    Solution<Real> one;
    fill_with_poison(economy_of(problem, 0), one);
    return [&problem, &solution, one](int economy) mutable {
      NoStages none;
      solve_frontier(economy_of(problem, economy), none, one);
      keep(problem, economy, one, solution);
    };
  });
  conclude(solution);
}

const RegisterSolver registered{
    {.name = "frontier",
     .origin = Origin::frontier,
     .summary = "continuous problem first, rounding to the grid as a correction; falls back to "
                "coarse-to-fine; in double, V rounded at the end",
     .axes = {{"threads"}, {"economies"}, {"draw"}, {"calibrations"}},
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .hooks = {.work = work_of_states,
               .floor = floor_of_states,
               .unavailable = why_no_such_capital},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
