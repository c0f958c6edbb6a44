#include "implementations/krusell_smith/frontier/law_search.hpp"

#include <gtest/gtest.h>

namespace macrobench::krusell_smith {
namespace {

/// The problem's aggregate states: good in the first periods, then bad and good in turn.
Shocks good_until(int change, const Problem& problem) {
  Shocks shocks;
  shocks.T = problem.T;
  for (int t = 0; t < problem.T; ++t) {
    shocks.states.push_back(t >= change && (t - change) % 2 == 0 ? bad : good);
  }
  return shocks;
}

TEST(FewAgents, TakeFewPeriodsIfBothStatesAreAmongThem) {
  Problem problem;
  problem.T = 5'000;
  problem.burn_in = 100;
  EXPECT_EQ(periods_of_few(problem, draw_shocks(problem)), 500);
  EXPECT_EQ(periods_of_few(problem, good_until(400, problem)), 500);
  EXPECT_EQ(periods_of_few(problem, good_until(480, problem)), 5'000) << "ten bad ones";
  EXPECT_EQ(periods_of_few(problem, good_until(5'000, problem)), 5'000) << "none";
}

TEST(FewAgents, TakeAllPeriodsOfAShortPanel) {
  Problem problem;
  problem.T = 130;
  problem.burn_in = 100;
  EXPECT_EQ(periods_of_few(problem, good_until(0, problem)), 130);
}

TEST(FewAgents, HaveAllThreadsOnlyInABatch) {
  Problem problem;
  problem.threads = 3;
  EXPECT_EQ(with_few_agents(problem).threads, 1);
  problem.economies = 5;
  EXPECT_EQ(with_few_agents(problem).threads, 3);
}

}  // namespace
}  // namespace macrobench::krusell_smith
