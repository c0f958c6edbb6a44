#include "implementations/numerics/methods/not_a_knot_spline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "implementations/numerics/methods/linear_solve.hpp"

namespace macrobench::numerics {
namespace {

double evaluate(const NotAKnotSpline& spline, const std::vector<double>& y,
                const std::vector<double>& m, double at) {
  const int p = spline.interval(at, 0);
  const auto [left, right, bend_left, bend_right] = spline.weights(at, p);
  const auto i = static_cast<std::size_t>(p);
  return left * y[i] + right * y[i + 1] + bend_left * m[i] + bend_right * m[i + 1];
}

TEST(NotAKnotSpline, ReproducesCubicsOnAnyPoints) {
  const auto cubic = [](double x) { return 2 - x + 0.5 * x * x - 0.25 * x * x * x; };
  for (const std::size_t n : {4U, 5U, 6U, 17U}) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(4 * std::pow(static_cast<double>(i) / static_cast<double>(n - 1), 3));
      y.push_back(cubic(x.back()));
    }
    const NotAKnotSpline spline(x);
    std::vector<double> m(n);
    spline.curvature(y.data(), 1, m.data());
    for (double at = -0.2; at <= 4.2; at += 0.05) {
      EXPECT_NEAR(evaluate(spline, y, m, at), cubic(at), 1e-11) << n << " points, at " << at;
    }
  }
}

/// The conditions themselves, four coefficients per interval, solved densely.
double brute_force(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const std::size_t n = x.size() - 1;
  const std::size_t unknowns = 4 * n;
  std::vector<double> A;
  std::vector<double> b;
  const auto row = [&](double right) -> double* {
    A.resize(A.size() + unknowns, 0);
    b.push_back(right);
    return A.data() + A.size() - unknowns;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double h = x[i + 1] - x[i];
    row(y[i])[4 * i] = 1;
    double* end = row(y[i + 1]);
    for (std::size_t d = 0; d < 4; ++d) end[4 * i + d] = std::pow(h, static_cast<double>(d));
    if (i + 1 == n) continue;
    double* slope = row(0);
    slope[4 * i + 1] = 1;
    slope[4 * i + 2] = 2 * h;
    slope[4 * i + 3] = 3 * h * h;
    slope[4 * i + 5] = -1;
    double* bend = row(0);
    bend[4 * i + 2] = 2;
    bend[4 * i + 3] = 6 * h;
    bend[4 * i + 6] = -2;
  }
  for (const std::size_t i : {std::size_t{0}, n - 2}) {
    double* knot = row(0);
    knot[4 * i + 3] = 1;
    knot[4 * i + 7] = -1;
  }
  EXPECT_TRUE(solve_linear(A, b));
  std::size_t i = 0;
  while (i + 1 < n && x[i + 1] < at) ++i;
  const double t = at - x[i];
  return b[4 * i] + t * (b[4 * i + 1] + t * (b[4 * i + 2] + t * b[4 * i + 3]));
}

TEST(NotAKnotSpline, IsWhatItsConditionsSay) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  for (const std::size_t n : {5U, 9U}) {
    constexpr std::size_t lines = 3;
    std::vector<double> x{0};
    while (x.size() < n) x.push_back(x.back() + uniform(random));
    std::vector<double> y;
    for (std::size_t i = 0; i < n * lines; ++i) y.push_back(uniform(random));
    const NotAKnotSpline spline(x);
    std::vector<double> m(n * lines);
    spline.curvature(y.data(), lines, m.data());
    for (std::size_t l = 0; l < lines; ++l) {
      std::vector<double> y_l;
      std::vector<double> m_l;
      for (std::size_t i = 0; i < n; ++i) {
        y_l.push_back(y[i * lines + l]);
        m_l.push_back(m[i * lines + l]);
      }
      for (double at = 0; at < x.back(); at += 0.07) {
        EXPECT_NEAR(evaluate(spline, y_l, m_l, at), brute_force(x, y_l, at), 1e-11);
      }
    }
  }
}

TEST(NotAKnotSpline, FindsTheIntervalFromAnyHint) {
  const NotAKnotSpline spline({0, 1, 3, 4, 9});
  for (int hint = 0; hint < 4; ++hint) {
    EXPECT_EQ(spline.interval(-1, hint), 0);
    EXPECT_EQ(spline.interval(0.5, hint), 0);
    EXPECT_EQ(spline.interval(3.5, hint), 2);
    EXPECT_EQ(spline.interval(8, hint), 3);
    EXPECT_EQ(spline.interval(20, hint), 3);
  }
}

}  // namespace
}  // namespace macrobench::numerics
