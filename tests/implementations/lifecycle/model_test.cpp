#include "implementations/lifecycle/model.hpp"

#include <cmath>
#include <numeric>

#include "harness/model/registry.hpp"
#include "tests/implementations/lifecycle/brute_force.hpp"
#include "tests/matchers.hpp"

namespace macrobench::lifecycle {
namespace {

TEST(LifecycleGrids, AreTheTutorials) {
  const Problem problem;
  const Calibration& c = problem.calibration;
  const Grids<float> grids = make_grids<float>(problem);
  ASSERT_EQ(grids.x.size(), 1500U);
  EXPECT_EQ(grids.x.front(), 0.1F);
  EXPECT_EQ(grids.x.back(), 4.0F);
  EXPECT_FLOAT_EQ(grids.x[750], static_cast<float>(0.1 + 750 * 3.9 / 1499));

  // Half-width 1.5 stationary standard deviations, in levels.
  ASSERT_EQ(grids.e.size(), 15U);
  const double sigma_y = c.sigma_eps / std::sqrt(1 - c.lambda_eps * c.lambda_eps);
  EXPECT_FLOAT_EQ(grids.e.front(), static_cast<float>(std::exp(-1.5 * sigma_y)));
  EXPECT_FLOAT_EQ(grids.e[7], 1);
  EXPECT_FLOAT_EQ(grids.e.back(), static_cast<float>(std::exp(1.5 * sigma_y)));
}

TEST(LifecycleGrids, AreInTheArithmeticOfRealIfAsked) {
  Problem problem;
  problem.grids_in_real = true;
  const Calibration& c = problem.calibration;
  const Grids<double> exact = grids_in_double(problem);
  const double sigma_y = c.sigma_eps / std::sqrt(1 - c.lambda_eps * c.lambda_eps);
  EXPECT_NEAR(exact.x[751], 0.1 + 751 * 3.9 / 1499, 1e-15);
  EXPECT_NEAR(exact.e[3], std::exp(-1.5 * sigma_y * 4 / 7), 1e-15);
  for (std::size_t i = 0; i < 15; ++i) {
    const auto row = exact.P.begin() + static_cast<std::ptrdiff_t>(i * 15);
    EXPECT_NEAR(std::accumulate(row, row + 15, 0.0), 1, 1e-15);
  }

  problem.single = true;
  const Grids<float> own = make_grids<float>(problem);
  const float step = (4.0F - 0.1F) / 1499;
  EXPECT_EQ(own.x[751], 0.1F + 751 * step);
  problem.grids_in_real = false;
  const Grids<float> rounded = make_grids<float>(problem);
  EXPECT_EQ(rounded.x[751], static_cast<float>(0.1 + 751 * 3.9 / 1499));
  EXPECT_NE(own.x, rounded.x);
  EXPECT_NE(own.P, rounded.P);
  for (std::size_t i = 0; i < 1500; ++i) EXPECT_NEAR(own.x[i], exact.x[i], 1e-6);
}

TEST(LifecycleGrids, MoveByTauchensProbabilities) {
  for (const Parameters& economy : economies()) {
    const Problem problem = problem_of(economy);
    const Calibration& c = problem.calibration;
    const Grids<float> grids = make_grids<float>(problem);
    const auto ne = static_cast<std::size_t>(problem.ne);
    const double sigma_y = c.sigma_eps / std::sqrt(1 - c.lambda_eps * c.lambda_eps);
    const double step = 2 * c.half_width * sigma_y / (problem.ne - 1);
    for (std::size_t i = 0; i < ne; ++i) {
      const auto row = grids.P.begin() + static_cast<std::ptrdiff_t>(i * ne);
      EXPECT_NEAR(std::accumulate(row, row + problem.ne, 0.0), 1, 1e-6);
      // Below the first midpoint, the rest of the line to the first point.
      const double from = (static_cast<double>(i) - (problem.ne - 1) / 2.0) * step;
      const double midpoint = -c.half_width * sigma_y + step / 2;
      const double z = (midpoint - c.lambda_eps * from) / c.sigma_eps;
      EXPECT_NEAR(*row, std::erfc(-z / std::sqrt(2)) / 2, 1e-4) << i;
    }
  }
}

TEST(LifecycleUtility, IsThePowerWhereverItIsAProduct) {
  for (const double sigma : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 16.0, 17.0}) {
    for (const double c : {0.01, 0.7, 1.0, 5.0}) {
      const double expected = sigma == 1 ? std::log(c) : std::pow(c, 1 - sigma) / (1 - sigma);
      EXPECT_NEAR(Utility<double>(sigma)(c), expected, 1e-14 * std::abs(expected)) << sigma;
      EXPECT_NEAR(Utility<float>(sigma)(static_cast<float>(c)), expected,
                  4e-6 * std::abs(expected) + 1e-7)
          << sigma;
    }
  }
}

TEST(LifecycleHousehold, TakesTheHighestOfEqualsAndNothingInfeasible) {
  // Three choices, of which the dearest leaves nothing to consume.
  const std::vector<float> x{1, 2, 9};
  const std::vector<float> e{1, 1};
  const std::vector<float> P{1, 0, 0, 1};
  Problem problem{.calibration = {}, .nx = 3, .ne = 2, .T = 2};
  problem.calibration.sigma = 0;  // u(c) = c
  problem.calibration.beta = 1;
  problem.calibration.r = 0;
  problem.calibration.w = 4;
  const auto worth = [&](Recursion recursion, std::vector<double> next) {
    problem.recursion = recursion;
    double expected = 0;
    const Household<double> household = make_household(problem, x.data(), e.data(), P.data(), -7.0);
    return household.value(0, 0, next.data(), expected);
  };
  // 5 to spend: 4 + 0 or 3 + 1.5.
  EXPECT_EQ(worth(Recursion::corrected, {0, 1.5, 100, 0, 0, 0}), 4.5);
  EXPECT_EQ(worth(Recursion::corrected, {0, 0.5, 100, 0, 0, 0}), 4);
  // Adding up, 4 + 1 or 3 + 1 + 0.5.
  EXPECT_EQ(worth(Recursion::as_published, {1, 0.5, 100, 0, 0, 0}), 5);
  EXPECT_EQ(worth(Recursion::as_published, {1, 1.5, 100, 0, 0, 0}), 5.5);
}

TEST(LifecycleWork, GrowsWithAllThreeSizes) {
  const Model& model = Registry::global().model("lifecycle");
  const auto work = [&](const char* name, int nx, int ne, int T) {
    return model.work_of(
        name, {{"nx", std::int64_t{nx}}, {"ne", std::int64_t{ne}}, {"T", std::int64_t{T}}});
  };
  EXPECT_EQ(work("serial", 20, 3, 10), 20.0 * 20 * 3 * 3 * 10);
  EXPECT_EQ(work("frontier", 64, 3, 10), 64.0 * 3 * (3 + 6) * 10);
  const bool has_cuda = Registry::global().find("lifecycle/frontier_cuda") != nullptr;
  EXPECT_EQ(work("frontier_cuda", 64, 3, 10), 64.0 * 3 * (has_cuda ? 3 + 4 : 3 * 64) * 10)
      << "left out, it is taken for the published algorithm";
  EXPECT_TRUE(model.grows_along("nx") && model.grows_along("ne") && model.grows_along("T"));
  EXPECT_FALSE(model.grows_along("sigma"));
}

TEST(LifecycleFigures, AreTheTutorialsTwoPlotsAndTheSameCorrected) {
  const Model& model = Registry::global().model("lifecycle");
  std::vector<std::string> names;
  for (const Figure& figure : model.figures) names.push_back(figure.name);
  EXPECT_THAT(names, ElementsAre("oswald_tutorial/period_1", "oswald_tutorial/period_T_minus_1",
                                 "oswald_tutorial/period_1_corrected",
                                 "oswald_tutorial/period_T_minus_1_corrected"));
  const Parameters small = complete(model.axes, {{"nx", 30}, {"ne", 4}, {"T", 6}}, 1);
  Problem problem = problem_of(small);
  const Grids<float> grids = make_grids<float>(problem);
  for (std::size_t f = 0; f < 4; ++f) {
    problem.recursion = f < 2 ? Recursion::as_published : Recursion::corrected;
    const std::vector<double> V = brute_force(problem);
    const std::size_t age = f % 2 == 0 ? 1 : 5;
    const Curves curves = model.figures[f].curves(small);
    EXPECT_THAT(curves.columns, ElementsAre("x", "e1", "e2", "e3", "e4"));
    ASSERT_EQ(curves.rows.size(), 30U);
    for (std::size_t ix = 0; ix < 30; ++ix) {
      EXPECT_EQ(curves.rows[ix][0], static_cast<double>(grids.x[ix]));
      for (std::size_t ie = 0; ie < 4; ++ie) {
        EXPECT_NEAR(curves.rows[ix][1 + ie], V[(age - 1) * 120 + ie * 30 + ix], 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace macrobench::lifecycle
