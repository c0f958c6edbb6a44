#include "implementations/krusell_smith/certificate/steady_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace macrobench::krusell_smith::certificate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// What is said of populations whose households all have what `wealth` gives for the period.
std::string why_none(int periods, const std::function<std::vector<double>(int t)>& wealth) {
  const Problem problem;
  SteadyState steady(problem);
  for (int t = 0; t < periods; ++t) {
    const std::vector<double> all = wealth(t);
    steady.see(Population(problem, all, std::vector<int>(all.size(), employed)));
  }
  return steady.why_none();
}

TEST(SteadyState, MayMoveWithTheBusinessCycle) {
  EXPECT_THAT(why_none(4'000,
                       [](int t) {
                         const double K = 40 + 2 * std::sin(t / 30.0);
                         return std::vector<double>{K / 2, K, 2 * K};
                       }),
              IsEmpty());
}

TEST(SteadyState, IsLostWhereTheMedianFalls) {
  EXPECT_THAT(why_none(4'000,
                       [](int t) {
                         const double fallen = 1 - t / 8'000.0;
                         return std::vector<double>{20, 40 * fallen, 100};
                       }),
              AllOf(HasSubstr("not stationary"), HasSubstr("4000 fresh periods")));
}

TEST(SteadyState, MayHaveAMedianOfNothing) {
  EXPECT_THAT(why_none(4'000, [](int) { return std::vector<double>{0, 0, 0, 100}; }), IsEmpty());
}

TEST(SteadyState, IsLostWhereAFewGrowRichBeyondItsQuantiles) {
  EXPECT_THAT(why_none(4'000,
                       [](int t) {
                         std::vector<double> all(100, 0);
                         for (int i = 60; i < 98; ++i) all[static_cast<std::size_t>(i)] = 100;
                         all[98] = all[99] = 200 + t / 10.0;
                         return all;
                       }),
              AllOf(HasSubstr("not stationary"), Not(HasSubstr("95%")), Not(HasSubstr("median"))));
}

TEST(SteadyState, IsLostWhereHouseholdsGatherAtTheEndOfTheGrid) {
  EXPECT_THAT(why_none(4'000, [](int) { return std::vector<double>{20, 40, 999}; }),
              HasSubstr("within a cell of k_max = 1000"));
}

TEST(SteadyState, IsNotJudgedByFewPeriods) {
  EXPECT_THAT(why_none(1'000, [](int t) { return std::vector<double>{20.0 + t / 10.0}; }),
              IsEmpty());
}

}  // namespace
}  // namespace macrobench::krusell_smith::certificate
