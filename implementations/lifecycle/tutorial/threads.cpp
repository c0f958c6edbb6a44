// The tutorial's cpu_lifecycle_thread: the threads of one process divide the states of an age.

#include <limits>

#include "implementations/lifecycle/solver.hpp"

namespace macrobench::lifecycle {

namespace {

template <class Real, class Number>
void solve_on(const Grids<Number>& grids, const Problem& problem, Stages& stages,
              Solution<Real>& solution) {
  const Household<Real, Number> household =
      make_household(problem, grids.x.data(), grids.e.data(), grids.P.data(),
                     -std::numeric_limits<Real>::infinity());
  const auto states = static_cast<std::ptrdiff_t>(problem.states());

  const Real* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    Real* V = solution.V.data() + (age - 1) * states;
#pragma omp parallel for num_threads(problem.threads) schedule(static)
    for (std::ptrdiff_t state = 0; state < states; ++state) {
      Real expected = 0;
      V[state] = household.value(static_cast<int>(state % problem.nx),
                                 static_cast<int>(state / problem.nx), next, expected);
    }
    next = V;
  }
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_grids<Real>(problem, [&](const auto& grids) { solve_on(grids, problem, stages, solution); });
}

const RegisterSolver registered{{.name = "threads",
                                 .origin = Origin::published,
                                 .summary = "C++, OpenMP threads divide the states of an age",
                                 .axes = {{"threads"}},
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .hooks = {.floor = floor_of_every_choice},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
