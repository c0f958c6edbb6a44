// The MPI processes behind processes.cpp. The tutorial's @sync @distributed: each process computes
// V at its share of an age's states, and receives all of V before the next age.

#include "implementations/mpi/worker.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

namespace {

/// V at the states from `begin` up to `end`. It is a separate function because within the rest
/// of a solution g++ has no register left for the expectation.
template <class Real, class Number>
[[gnu::noinline]] void find_values(const Household<Real, Number>& household, int begin, int end,
                                   const Real* next, Real* V) {
  for (int state = begin; state < end; ++state) {
    Real expected = 0;
    V[state] = household.value(state % household.nx, state / household.nx, next, expected);
  }
}

template <class Real, class Number>
void solve_on(const Grids<Number>& grids, const Problem& problem, mpi::Ranks& ranks,
              Solution<Real>& solution) {
  const Household<Real, Number> household =
      make_household(problem, grids.x.data(), grids.e.data(), grids.P.data(),
                     -std::numeric_limits<Real>::infinity());
  const std::size_t states = problem.states();
  const std::vector<std::size_t> begins = ranks.shares(states);
  const auto begin = static_cast<int>(begins[static_cast<std::size_t>(ranks.rank())]);
  const auto end = static_cast<int>(begins[static_cast<std::size_t>(ranks.rank()) + 1]);

  // The first process answers with all ages, the others need two at a time.
  const int ages = ranks.is_first() ? problem.T : 2;
  std::vector<Real>& V_of_ages = solution.V;
  V_of_ages.assign(states * static_cast<std::size_t>(ages), std::numeric_limits<Real>::quiet_NaN());
  const Real* next = nullptr;
  for (int age = problem.T; age >= 1; --age) {
    ranks.enter(stage_of(age, problem.T));
    Real* V = V_of_ages.data() + static_cast<std::size_t>((age - 1) % ages) * states;
    find_values(household, begin, end, next, V);
    ranks.all_gather(begins, V);
    next = V;
  }
}

template <class Real>
void solve(const Problem& problem, mpi::Ranks& ranks, Solution<Real>& solution) {
  with_grids<Real>(problem, [&](const auto& grids) { solve_on(grids, problem, ranks, solution); });
}

}  // namespace

}  // namespace macrobench::lifecycle

int main(int argc, char** argv) {
  using namespace macrobench;
  return mpi::serve_with(argc, argv, [](mpi::Ranks& ranks) {
    mpi::serve<lifecycle::Problem>(ranks, lifecycle::solve<float>, lifecycle::solve<double>);
  });
}
