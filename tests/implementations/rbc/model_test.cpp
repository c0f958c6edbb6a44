#include "implementations/rbc/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "harness/model/registry.hpp"

namespace macrobench::rbc {
namespace {

TEST(RbcModel, GridsAreTheAuthorsCodes) {
  Problem problem;
  problem.nk = 128;
  const Grids<double> grids = make_grids<double>(problem);

  EXPECT_NEAR(steady_state_capital(problem.calibration, 1), 53.754689692, 5e-10);
  EXPECT_NEAR(grids.K.front(), 47.428927, 5e-7);
  EXPECT_NEAR(grids.K.back(), 60.771831, 5e-7);

  const double Z[] = {.9530971434654407, .9841147081700228, 1.0161417075652859, 1.0492109926633728};
  const double V0[] = {-.3080158, -.2932076, -.2791113, -.2656927};
  const double P[] = {.9967573460, .0032426540, 0, 0, .0003859332, .9984407040, .0011733628, 0};
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(grids.Z[j], Z[j], 1e-15);
    EXPECT_NEAR(grids.V0[j], V0[j], 5e-8);
  }
  for (std::size_t n = 0; n < 8; ++n) EXPECT_NEAR(grids.P[n], P[n], 5e-11);
}

TEST(RbcModel, SinglePrecisionIsTheDoubleGridRounded) {
  Problem problem;
  problem.nk = 1000;
  const Grids<double> exact = make_grids<double>(problem);
  const Grids<float> rounded = make_grids<float>(problem);
  for (std::size_t i = 0; i < exact.K.size(); ++i) {
    EXPECT_EQ(rounded.K[i], static_cast<float>(exact.K[i]));
  }
}

TEST(RbcModel, UtilityIsItsClosedForms) {
  EXPECT_DOUBLE_EQ(utility(3.0, 2.0), -1 / 3.0);
  EXPECT_DOUBLE_EQ(utility(3.0, 1.0), std::log(3.0));
  EXPECT_DOUBLE_EQ(utility(4.0, 0.5), 4.0);
  EXPECT_DOUBLE_EQ(utility(3.0, 0.0), 3.0);
}

TEST(RbcModel, SteadyStateSolvesTheEulerEquation) {
  for (const double gamma : {0.5, 1.0, 2.0}) {
    Calibration c;
    c.gamma = gamma;
    const double K = steady_state_capital(c, 1.03);
    EXPECT_NEAR(c.beta * (c.alpha * 1.03 * std::pow(K, c.alpha - 1) + 1 - c.delta), 1, 1e-14);
  }
}

TEST(RbcModel, FeasibleSetEndsAtTheLimit) {
  const double grid[] = {1, 2, 3, 5};
  EXPECT_EQ(last_at_or_below(grid, 4, 0.5), -1);
  EXPECT_EQ(last_at_or_below(grid, 4, 1.0), 0);
  EXPECT_EQ(last_at_or_below(grid, 4, 3.0), 2);
  EXPECT_EQ(last_at_or_below(grid, 4, 4.9), 2);
  EXPECT_EQ(last_at_or_below(grid, 4, 9.0), 3);
}

TEST(RbcModel, HowardMaximisesFirstAndThenEveryTwentieth) {
  for (int iteration = 0; iteration < 100; ++iteration) {
    EXPECT_EQ(maximize_now(iteration), iteration < 3 || iteration % 20 == 0);
  }
}

TEST(RbcWork, IsQuadraticForWhatFormsEveryChoicesExpectation) {
  const Model& model = Registry::global().model("rbc");
  const auto growth = [&](const char* implementation, const char* maximizer) {
    const auto work = [&](std::int64_t nk) {
      return model.work_of(implementation, {{"nk", nk}, {"maximizer", std::string(maximizer)}});
    };
    return work(131072) / work(65536);
  };
  EXPECT_NEAR(growth("serial", "bisection"), 4, 0.1);
  EXPECT_NEAR(growth("serial_probed", "bisection"), 2 * 17 / 16.0, 1e-9);
  EXPECT_NEAR(growth("serial_tuned", "bisection"), 2 * 17 / 16.0, 1e-9);
  EXPECT_NEAR(growth("cuda_c", "bisection"), 2 * 17 / 16.0, 1e-9);
  EXPECT_NEAR(growth("cuda_c_coalesced", "bisection"), 2 * 17 / 16.0, 1e-9);
  EXPECT_NEAR(growth("serial_tuned", "grid_howard"), 4, 0.1);
  EXPECT_NEAR(growth("serial_interpolated", "interpolated"), 2, 1e-9)
      << "the choices are other points";
  EXPECT_NEAR(growth("frontier", "bisection"), 2, 1e-9);
}

}  // namespace
}  // namespace macrobench::rbc
