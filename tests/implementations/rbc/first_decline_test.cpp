// The economy of Aruoba and Fernandez-Villaverde (2018), held to what their programs print: the
// policy at K[999], z[2], the last difference, and how many iterations there are. Here in C++ and,
// where their languages are, by the programs that have the algorithm.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/parameters.hpp"
#include "implementations/rbc/published/serial_first_decline.hpp"
#include "tests/implementations/every_implementation.hpp"

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
  problem.chain = Chain::aruoba_fv;
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
  fill_with_poison(problem, solution);
  NoStages none;
  solve_by_first_decline(problem, none, solution);
  return solution;
}

void expect_what_the_article_prints(const Problem& problem, const Solution<double>& solution) {
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.iterations, 257);
  const Grids<double> grids = make_grids<double>(problem);
  const std::size_t state = 2 * 17820 + 999;
  EXPECT_NEAR(grids.K[static_cast<std::size_t>(solution.policy[state])], 0.1465491436962635, 5e-16);
  // V is not multiplied by 1 - beta here, so it is rounded otherwise.
  EXPECT_NEAR(solution.difference * (1 - 0.95), 9.716035642703957e-08, 1e-15);
}

TEST(FirstDecline, GivesWhatTheArticlePrints) {
  const Problem problem = growth_model(17820, 1e-5, 1e-7);
  expect_what_the_article_prints(problem, solved(problem));
}

TEST(FirstDecline, GivesWhatTheUpdatePrints) {
  const Problem problem = growth_model(35640, 5e-6, 1e-8);
  const Solution<double> solution = solved(problem);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.iterations, 302);
  const Grids<double> grids = make_grids<double>(problem);
  const std::size_t state = 2 * 35640 + 999;
  // What is printed is from a grid whose step is (K0 + 5e-6) - K0, rounded: 5.5e-14 up to here.
  EXPECT_NEAR(grids.K[static_cast<std::size_t>(solution.policy[state])], 0.14404414369631846,
              1e-13);
  EXPECT_NEAR(solution.difference * (1 - 0.95), 9.681200952016411e-09, 1e-15);
}

TEST(FirstDecline, FromTheSteadyStateTakesOneIterationLess) {
  Problem problem = growth_model(35640, 5e-6, 1e-8);
  problem.start = Start::steady_state;
  EXPECT_EQ(solved(problem).iterations, 301);
}

/// The same problem as a program is asked for it.
Parameters parameters_of(const Problem& problem) {
  const Calibration& c = problem.calibration;
  return {{"nk", std::int64_t{problem.nk}},
          {"nz", std::int64_t{problem.nz}},
          {"maximizer", "first_decline"},
          {"start", "zero"},
          {"tolerance", problem.tolerance},
          {"beta", c.beta},
          {"gamma", c.gamma},
          {"alpha", c.alpha},
          {"delta", c.delta},
          {"chain", "aruoba_fv"},
          {"grid_low", c.grid_low},
          {"grid_high", c.grid_high}};
}

/// Programs in other languages that have the algorithm.
std::vector<std::string> programs() {
  std::vector<std::string> names = names_of("rbc", false);
  std::erase_if(names, [](const std::string& name) {
    const Implementation& one = *Registry::global().find("rbc/" + name);
    const std::vector<std::string> maximizers = choices(one, "maximizer");
    return one.folder.empty() || std::ranges::count(maximizers, "first_decline") == 0;
  });
  return names;
}

class FirstDeclineInOtherLanguages : public EveryImplementation {
 protected:
  FirstDeclineInOtherLanguages() : EveryImplementation("rbc") {}

  [[nodiscard]] Solution<double> solution(const Problem& problem) const {
    return solution_of<Solution<double>>(axes(), make(*implementation_, parameters_of(problem)));
  }
};

TEST_P(FirstDeclineInOtherLanguages, GivesWhatTheArticlePrints) {
  if (GetParam() == "cpython" || GetParam() == "r") {
    GTEST_SKIP() << "17,820 points take an interpreter half a minute";
  }
  const Problem problem = growth_model(17820, 1e-5, 1e-7);
  expect_what_the_article_prints(problem, solution(problem));
}

TEST_P(FirstDeclineInOtherLanguages, GivesWhatCppGivesOnASmallGrid) {
  const Problem problem = growth_model(179, 1e-3, 1e-7);
  const Solution<double> expected = solved(problem);
  const Solution<double> found = solution(problem);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.iterations, expected.iterations);
  EXPECT_NEAR(found.difference, expected.difference, 1e-12);
  ASSERT_EQ(found.V.size(), expected.V.size());
  ASSERT_EQ(found.policy.size(), expected.policy.size());
  for (std::size_t s = 0; s < expected.V.size(); ++s) {
    EXPECT_NEAR(found.V[s], expected.V[s], 1e-11) << s;
    // A choice as good as the next one may be either, by how the last bit is rounded.
    EXPECT_LE(std::abs(found.policy[s] - expected.policy[s]), 1) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, FirstDeclineInOtherLanguages, ::testing::ValuesIn(programs()),
                         [](const auto& tested) { return tested.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FirstDeclineInOtherLanguages);

}  // namespace
}  // namespace macrobench::rbc
