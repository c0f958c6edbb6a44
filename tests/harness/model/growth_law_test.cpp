#include "harness/model/growth_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace macrobench {
namespace {

std::vector<Point> points_of(const std::function<double(double)>& cost, int count) {
  std::vector<Point> points;
  double size = 128;
  for (int i = 0; i < count; ++i, size *= 2) points.push_back({size, cost(size)});
  return points;
}

double linear(double n) {
  return 0.5 + 1e-3 * n;
}
double linearithmic(double n) {
  return 0.5 + 1e-4 * n * std::log(n);
}
double squared(double n) {
  return (0.1 + 1e-3 * n) * (0.1 + 1e-3 * n);
}

TEST(GrowthLaw, FindsTheLawThatMadeThePoints) {
  for (int count = 3; count <= 8; ++count) {
    const auto check = [&](const char* name, double (*cost)(double)) {
      const auto law = fit_growth_law(points_of(cost, count));
      ASSERT_TRUE(law.has_value());
      EXPECT_EQ(law->name, name) << count;
      EXPECT_LT(law->error, 1e-9);
      EXPECT_NEAR(law->at(65536) / cost(65536), 1, 1e-9);
    };
    check("a + bN", linear);
    check("a + bN log N", linearithmic);
    check("(a + bN)^2", squared);
  }
}

TEST(GrowthLaw, SmallSizesDoNotRule) {
  // Three points of pure overhead before growth sets in.
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) {
    const double size = 128 << i;
    points.push_back({size, std::max(0.1, 1e-4 * size)});
  }
  const auto law = fit_growth_law(points);
  ASSERT_TRUE(law.has_value());
  EXPECT_NEAR(law->at(65536), 6.5536, 1e-6);
}

TEST(GrowthLaw, ItsErrorIsThatOfPredictingTheLastPoints) {
  std::vector<Point> points = points_of(linear, 4);
  points.back().cost *= 1.1;
  const auto law = fit_growth_law(points);
  ASSERT_TRUE(law.has_value());
  EXPECT_GT(law->error, 0.001);
  EXPECT_LT(law->error, 0.2);
}

TEST(GrowthLaw, NoneWhereThereIsNothingToFit) {
  EXPECT_FALSE(fit_growth_law({}).has_value());
  EXPECT_FALSE(fit_growth_law(points_of(linear, 2)).has_value());
  EXPECT_FALSE(fit_growth_law(points_of([](double n) { return 1 / n; }, 6)).has_value());
  // The same size again and again is one point.
  EXPECT_FALSE(fit_growth_law({{128, 1}, {128, 2}, {128, 3}, {256, 4}}).has_value());
}

TEST(GrowthLaw, OfWorkIsNoSquare) {
  const auto costs = points_of(squared, 6);
  EXPECT_EQ(fit_growth_law(costs)->name, "(a + bN)^2");
  EXPECT_NE(fit_growth_law(costs, Sizes::of_work)->name, "(a + bN)^2");
}

TEST(GrowthLaw, OfWorkHasNoFixedCostBelowNothing) {
  // Noise on sizes that hardly differ: the line through these three is at -9 where there is no
  // work.
  const std::vector<Point> close = {{100, 1}, {101, 1.1}, {102, 1.2}};
  EXPECT_GT(fit_growth_law(close)->at(1e4), 900);
  EXPECT_LT(fit_growth_law(close, Sizes::of_work)->at(1e4), 300);
  // A fixed cost above nothing stays.
  EXPECT_NEAR(fit_growth_law(points_of(linear, 4), Sizes::of_work)->at(65536), linear(65536), 1e-6);
}

TEST(GrowthLaw, PassesOverWhatIsNoMeasurement) {
  std::vector<Point> points = points_of(linear, 4);
  points.push_back({1e6, std::numeric_limits<double>::quiet_NaN()});
  points.push_back({0, 1});
  points.push_back({2e6, 0});
  const auto law = fit_growth_law(points);
  ASSERT_TRUE(law.has_value());
  EXPECT_NEAR(law->at(65536), linear(65536), 1e-6);
}

TEST(GrowthLaw, PredictsAPublishedRow) {
  // Serial C++ of the binary-search page, up to 4,096; it printed 19,421.90 s at 65,536.
  const auto law = fit_growth_law(
      {{128, 0.547}, {256, 1.35}, {512, 3.41}, {1024, 9.05}, {2048, 25.73}, {4096, 84.58}});
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->name, "(a + bN)^2");
  EXPECT_NEAR(law->at(65536), 19421.9, 0.15 * 19421.9);
}

}  // namespace
}  // namespace macrobench
