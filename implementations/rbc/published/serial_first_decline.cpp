// The program of Aruoba and Fernandez-Villaverde (2015, update of 2018), RBC_CPP.cpp: resources
// once, the expectation of every choice once an iteration, and at each state a walk upwards from
// the policy one capital point below, until a choice is no better than the one before it.

#include "implementations/rbc/published/serial_first_decline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

void solve_by_first_decline(const Problem& problem, Stages& stages, Solution<double>& solution) {
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto nz = static_cast<std::size_t>(problem.nz);
  const Calibration& c = problem.calibration;
  const Grids<double> grids = make_grids<double>(problem);

  std::vector<double> available(problem.states());
  std::vector<double> V(problem.states());
  std::vector<double> V0(problem.states());
  std::vector<double> expected(problem.states());
  std::vector<std::int32_t> policy(problem.states());
  for (std::size_t s = 0; s < problem.states(); ++s) {
    available[s] = resources(grids.K[s % nk], grids.Z[s / nk], c.alpha, c.delta);
    V0[s] = grids.V0[s / nk];
  }

  int iteration = 0;
  double difference = std::numeric_limits<double>::infinity();
  while (difference >= problem.tolerance && iteration < problem.iteration_cap) {
    for (std::size_t j = 0; j < nz; ++j) {
      for (std::size_t m = 0; m < nk; ++m) {
        expected[j * nk + m] = expected_value(&grids.P[j * nz], V0.data(), problem.nk, problem.nz,
                                              static_cast<int>(m));
      }
    }
    difference = 0;
    for (std::size_t j = 0; j < nz; ++j) {
      std::size_t start = 0;
      for (std::size_t i = 0; i < nk; ++i) {
        const std::size_t s = j * nk + i;
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t m = start; m < nk && grids.K[m] <= available[s]; ++m) {
          const double value =
              utility(available[s] - grids.K[m], c.gamma) + c.beta * expected[j * nk + m];
          if (!(value > best)) break;
          best = value;
          start = m;
        }
        V[s] = best;
        policy[s] = static_cast<std::int32_t>(start);
        difference = std::max(difference, std::abs(best - V0[s]));
      }
    }
    std::swap(V, V0);
    ++iteration;
  }
  stages.finish();

  solution.V = V0;
  solution.policy = policy;
  solution.iterations = iteration;
  solution.difference = difference;
  solution.converged = difference < problem.tolerance;
}

namespace {

const RegisterSolver registered{
    {.name = "serial_first_decline",
     .origin = Origin::published,
     .summary = "C++ of Aruoba and Fernandez-Villaverde: upwards until a choice is no better",
     .axes = {{"maximizer", {"first_decline"}}, {"start"}},
     .solve_double = solve_by_first_decline,
     .hooks = {.floor = floor_of_search},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::rbc
