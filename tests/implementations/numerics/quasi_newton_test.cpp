#include "implementations/numerics/methods/quasi_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace macrobench::numerics {
namespace {

/// F(x) = (x_0 + 2 x_1 - 3, 4 x_0 - x_1 + 6), which is 0 at (-1, 2).
std::vector<double> linear(const std::vector<double>& x) {
  return {x[0] + 2 * x[1] - 3, 4 * x[0] - x[1] + 6};
}

TEST(QuasiNewton, StepsToTheRootOfALinearFunctionWhoseDerivativesItWasGiven) {
  QuasiNewton newton(2);
  const std::vector<double> x = {5, 7};
  newton.set_derivative(0, 0.5, difference(linear({5.5, 7}), linear(x)));
  newton.set_derivative(1, -2, difference(linear({5, 5}), linear(x)));
  const std::vector<double> step = newton.step(linear(x));
  ASSERT_EQ(step.size(), 2U);
  EXPECT_NEAR(x[0] + step[0], -1, 1e-12);
  EXPECT_NEAR(x[1] + step[1], 2, 1e-12);
}

TEST(QuasiNewton, BeginsAsIfTheMapWereConstant) {
  EXPECT_EQ(QuasiNewton(2).step({3, -4}), (std::vector<double>{3, -4}));
}

TEST(QuasiNewton, FindsTheRootOfACurvedFunctionFromUpdatesAlone) {
  const auto F = [](const std::vector<double>& x) -> std::vector<double> {
    return {std::cos(x[1]) / 2 - x[0], std::sin(x[0]) / 2 + 1 - x[1]};
  };
  QuasiNewton newton(2);
  std::vector<double> x = {0, 0};
  std::vector<double> value = F(x);
  for (int n = 0; n < 10; ++n) {
    const std::vector<double> step = newton.step(value);
    ASSERT_EQ(step.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) x[i] += step[i];
    const std::vector<double> next = F(x);
    newton.update(step, difference(next, value));
    value = next;
    if (value[0] == 0 && value[1] == 0) break;
  }
  EXPECT_LT(std::abs(value[0]) + std::abs(value[1]), 1e-12);
}

TEST(QuasiNewton, HasNoStepWhereTheDerivativesAreSingular) {
  QuasiNewton newton(2);
  newton.set_derivative(0, 1, {1, 2});
  newton.set_derivative(1, 1, {2, 4});
  EXPECT_TRUE(newton.step({1, 1}).empty());
}

TEST(QuasiNewton, LearnsNothingFromAStepOfNoLength) {
  QuasiNewton newton(1);
  newton.update({0}, {5});
  EXPECT_EQ(newton.step({2}), (std::vector<double>{2}));
}

TEST(Largest, IsOfAbsoluteValuesAndKeepsNaN) {
  EXPECT_EQ(largest({1, -3, 2}), 3);
  EXPECT_EQ(largest({}), 0);
  EXPECT_TRUE(std::isnan(largest({1, std::nan(""), 5})));
}

}  // namespace
}  // namespace macrobench::numerics
