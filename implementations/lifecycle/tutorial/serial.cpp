// The tutorial's cpu_lifecycle: one state after another, age by age from the last.

#include <limits>

#include "implementations/lifecycle/solver.hpp"

namespace macrobench::lifecycle {

namespace {

/// Not inline, because within solve() g++ has no register left for the distance between two shocks.
template <class Real, class Number>
[[gnu::noinline]] void solve_on(const Grids<Number>& grids, const Problem& problem, Stages& stages,
                                Solution<Real>& solution) {
  const Household<Real, Number> household =
      make_household(problem, grids.x.data(), grids.e.data(), grids.P.data(),
                     -std::numeric_limits<Real>::infinity());

  const Real* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    stages.enter(stage_of(age, problem.T));
    Real* V = solution.V.data() + static_cast<std::size_t>(age - 1) * problem.states();
    for (int ix = 0; ix < problem.nx; ++ix) {
      for (int ie = 0; ie < problem.ne; ++ie) {
        Real expected = 0;
        V[static_cast<std::ptrdiff_t>(ie) * problem.nx + ix] =
            household.value(ix, ie, next, expected);
      }
    }
    next = V;
  }
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_grids<Real>(problem, [&](const auto& grids) { solve_on(grids, problem, stages, solution); });
}

const RegisterSolver registered{{.name = "serial",
                                 .origin = Origin::published,
                                 .summary = "C++, one state after another",
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .hooks = {.floor = floor_of_every_choice},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
