#include "implementations/numerics/methods/anderson.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace macrobench::numerics {
namespace {

TEST(Anderson, SolvesALinearMapInAsManyStepsAsItHasDimensions) {
  // x <- b + A x with eigenvalues .99, .9 and -.5: by itself it takes thousands of steps.
  const std::vector<double> slope = {0.99, 0.9, -0.5};
  std::vector<double> x = {0, 0, 0};
  std::vector<double> G(3);
  Anderson anderson(3, 3);
  for (int n = 0; n < 5; ++n) {
    for (std::size_t i = 0; i < 3; ++i) G[i] = 1 + slope[i] * x[i];
    anderson.advance(x, G);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], 1 / (1 - slope[i]), 1e-5 * x[i]);
}

TEST(Anderson, ForgetsWhenItRestarts) {
  Anderson anderson(1, 2);
  std::vector<double> x = {1};
  anderson.advance(x, {3});
  EXPECT_EQ(x[0], 3) << "of one point it knows no slope";
  anderson.restart();
  anderson.advance(x, {5});
  EXPECT_EQ(x[0], 5);
  anderson.advance(x, {6});
  EXPECT_NEAR(x[0], 7, 1e-8) << "the residual fell from 2 to 1 over a step of 2";
}

TEST(Anderson, GoesOnWhereAllResidualsAreTheSame) {
  Anderson anderson(2, 2);
  std::vector<double> x = {0, 0};
  for (int n = 0; n < 6; ++n) {
    anderson.advance(x, {x[0] + 1, x[1] + 2});
    EXPECT_TRUE(std::isfinite(x[0]) && std::isfinite(x[1]));
  }
}

}  // namespace
}  // namespace macrobench::numerics
