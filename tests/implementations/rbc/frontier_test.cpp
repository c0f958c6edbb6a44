// The frontiers are general in every parameter: where the fast way's assumptions fail they must
// know, and fall back. Every state is certified.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "harness/model/registry.hpp"
#include "harness/records/machine.hpp"
#include "harness/run/stage_clock.hpp"

namespace macrobench {
namespace {

Outcome solve(const std::string& id, const Parameters& given) {
  const Case which = Registry::global().make_case(id, given, available_cores());
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  Outcome outcome = instance->check(false);
  EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
  return outcome;
}

std::string way(const Parameters& given) {
  return solve("rbc/frontier", given).notes.at("way");
}

TEST(Frontier, NamesTheWayItTook) {
  const std::int64_t nk = 1000;
  EXPECT_EQ(way({{"nk", nk}}), "continuous");
  EXPECT_EQ(way({{"nk", std::int64_t{17}}}), "exhaustive") << "small grids need nothing clever";
  // The chain moves so far in one period that the policy meets the edge of the grid.
  EXPECT_EQ(way({{"nk", nk}, {"rho", 0.9}}), "coarse_to_fine");
  EXPECT_EQ(way({{"nk", nk}, {"rho", -0.5}}), "coarse_to_fine");
  EXPECT_EQ(way({{"nk", nk}, {"nz", std::int64_t{7}}, {"gamma", 5.0}}), "coarse_to_fine");
}

TEST(Frontier, HoldsAtOddSizesAndTightTolerances) {
  for (const std::int64_t nk : {2, 3, 5, 31, 257, 1023, 1025, 3001}) {
    for (const double tolerance : {1.6e-10, 1e-12}) {
      solve("rbc/frontier", {{"nk", nk}, {"tolerance", tolerance}});
    }
    solve("rbc/frontier", {{"nk", nk}, {"real", "single"}});
  }
}

TEST(Frontier, HoldsWhereItsAssumptionsDoNot) {
  for (const std::int64_t nk : {40, 700}) {
    for (const double rho : {-0.9, 0.0, 0.5, 0.99}) {
      for (const double gamma : {0.5, 1.0, 5.0}) {
        solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"gamma", gamma}});
      }
      solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"beta", 0.5}, {"delta", 1.0}});
      solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"grid_low", 0.999}, {"grid_high", 1.001}});
      solve("rbc/frontier",
            {{"nk", nk}, {"rho", rho}, {"grid_low", 0.4}, {"grid_high", 2.5}, {"delta", 0.6}});
    }
  }
}

TEST(Frontier, HoldsWhereItRoundsAndWhereItDoesNot) {
  // From 131,072 points on the continuous problem's value is within the tolerance by itself.
  EXPECT_LE(solve("rbc/frontier", {{"nk", std::int64_t{1} << 15}}).iterations, 5);
  EXPECT_LE(solve("rbc/frontier", {{"nk", std::int64_t{1} << 18}}).iterations, 2);
}

}  // namespace
}  // namespace macrobench
