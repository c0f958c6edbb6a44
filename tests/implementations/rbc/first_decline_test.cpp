// The economy of Aruoba and Fernandez-Villaverde (2018), held to the two values that their programs
// print: the policy at K[999], z[2], and how many iterations there are.

#include <gtest/gtest.h>

#include <cmath>

#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/serial_first_decline.hpp"

namespace macrobench::rbc {
namespace {

/// Their V is multiplied by 1 - beta, and so is their tolerance.
Problem growth_model(int nk, double step, double tolerance) {
  Problem problem;
  Calibration& c = problem.calibration;
  c.beta = 0.95;
  c.gamma = 1;
  c.alpha = 1.0 / 3;
  c.delta = 1;
  c.rho = 0.95;
  c.sigma = 0.007 * std::sqrt(1 - 0.95 * 0.95);
  const double K = steady_state_capital(c, 1);
  problem.nk = nk;
  problem.nz = 5;
  c.grid_low = 1;
  c.grid_high = 1;
  const CapitalRange steady = capital_range(problem);
  c.grid_low = 0.5 * K / steady.low;
  c.grid_high = (0.5 * K + (nk - 1) * step) / steady.high;
  problem.tolerance = tolerance / (1 - c.beta);
  problem.maximizer = Maximizer::first_decline;
  problem.start = Start::zero;
  return problem;
}

Solution<double> solved(const Problem& problem) {
  Solution<double> solution;
  make_room(problem, solution);
  NoStages none;
  solve_by_first_decline(problem, none, solution);
  return solution;
}

TEST(FirstDecline, GivesWhatTheArticlePrints) {
  const Problem problem = growth_model(17820, 1e-5, 1e-7);
  const Solution<double> solution = solved(problem);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.iterations, 257);
  const Grids<double> grids = make_grids<double>(problem);
  const std::size_t state = 2 * 17820 + 999;
  // They round productivity and its transitions to four decimals: a step of the grid, and 1.2% of
  // the last change.
  EXPECT_NEAR(grids.K[static_cast<std::size_t>(solution.policy[state])], 0.1465491436962635,
              1.1e-5);
  EXPECT_NEAR(solution.difference * (1 - 0.95), 9.716035642703957e-08, 2e-9);
}

TEST(FirstDecline, GivesWhatTheUpdatePrints) {
  const Problem problem = growth_model(35640, 5e-6, 1e-8);
  const Solution<double> solution = solved(problem);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.iterations, 302);
  const Grids<double> grids = make_grids<double>(problem);
  const std::size_t state = 2 * 35640 + 999;
  EXPECT_NEAR(grids.K[static_cast<std::size_t>(solution.policy[state])], 0.14404414369631846,
              1.1e-5);
}

TEST(FirstDecline, FromTheSteadyStateTakesOneIterationLess) {
  Problem problem = growth_model(35640, 5e-6, 1e-8);
  problem.start = Start::steady_state;
  EXPECT_EQ(solved(problem).iterations, 301);
}

}  // namespace
}  // namespace macrobench::rbc
