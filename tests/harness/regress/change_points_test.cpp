// Where a series of times goes to another level.

#include "harness/regress/change_points.hpp"

#include <random>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// Steps of 9 times around each level, within `noise` of it.
std::vector<std::vector<double>> series(const std::vector<double>& levels, double noise,
                                        unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::vector<double>> steps;
  for (const double level : levels) {
    std::vector<double>& step = steps.emplace_back();
    for (int i = 0; i < 9; ++i) {
      const double draw = static_cast<double>(engine() % 10'001) / 5'000 - 1;
      step.push_back(level * (1 + noise * draw));
    }
  }
  return steps;
}

std::vector<std::size_t> places(const std::vector<std::vector<double>>& steps) {
  std::vector<std::size_t> places;
  for (const ChangePoint& point : change_points(steps, 0.995, 1.03)) places.push_back(point.step);
  return places;
}

TEST(ChangePoints, OfALevelThatStays) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    EXPECT_THAT(places(series({1, 1, 1, 1, 1, 1, 1, 1}, 0.1, seed)), IsEmpty()) << seed;
  }
}

TEST(ChangePoints, OfPlantedSteps) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_THAT(places(series({1, 1, 1, 1.1, 1.1, 1.1, 1.1}, 0.05, seed)), ElementsAre(3)) << seed;
    EXPECT_THAT(places(series({1, 1, 1.2, 1.2, 1.2, 0.9, 0.9}, 0.05, seed)), ElementsAre(2, 5))
        << seed;
    EXPECT_THAT(places(series({1, 1, 1, 1.5}, 0.05, seed)), ElementsAre(3)) << seed;
  }
}

TEST(ChangePoints, SaysFromWhatToWhat) {
  const std::vector<ChangePoint> points =
      change_points(series({1, 1, 2, 2, 4}, 0.01, 1), 0.995, 1.03);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(points[0].before, 1, 0.01);
  EXPECT_NEAR(points[0].after, 2, 0.02);
  EXPECT_NEAR(points[1].ratio(), 2, 0.05);
}

TEST(ChangePoints, WhatIsTooSmallOrTooFewToMatterIsNone) {
  EXPECT_THAT(places(series({1, 1, 1, 1.01, 1.01, 1.01}, 0.001, 1)), IsEmpty());
  EXPECT_THAT(places({{1}, {2}, {1}}), IsEmpty());
  EXPECT_THAT(places({{1, 1, 1}, {1, 1, 1}}), IsEmpty());
  EXPECT_THAT(places({{1, 1, 1}}), IsEmpty());
  EXPECT_THAT(places({}), IsEmpty());
  EXPECT_THAT(places({{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}}), IsEmpty());
}

TEST(ChangePoints, AFewSpoiltTimesMoveNothing) {
  auto steps = series({1, 1, 1, 1, 1}, 0.02, 1);
  steps[2][0] = 50;
  steps[2][1] = 40;
  steps[4][3] = 1e300;
  EXPECT_THAT(places(steps), IsEmpty());
}

}  // namespace
}  // namespace macrobench
