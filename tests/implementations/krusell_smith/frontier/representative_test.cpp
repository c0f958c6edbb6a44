#include "implementations/krusell_smith/frontier/representative.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {
namespace {

/// With log utility and capital that is used up in a period, K' = alpha beta Y (Brock and Mirman
/// 1972).
TEST(RepresentativeLaw, IsTheClosedFormOfLogUtilityAndFullDepreciation) {
  Economy economy{Calibration()};
  economy.gamma = 1;
  economy.delta = 1;
  const auto law = representative_law(economy);
  ASSERT_TRUE(law.has_value());
  for (const int a : {bad, good}) {
    const double labour = economy.lbar * economy.L[a];
    const double factor =
        economy.alpha * economy.beta * economy.a[a] * std::pow(labour, 1 - economy.alpha);
    EXPECT_NEAR(law->b1[a], economy.alpha, 1e-3);
    const double K = .2;  // near the steady state
    EXPECT_NEAR(std::log(law->next(a, K)), std::log(factor) + economy.alpha * std::log(K), 1e-4);
  }
}

TEST(RepresentativeLaw, IsNearThePublishedOne) {
  const auto law = representative_law(Economy{Calibration()});
  ASSERT_TRUE(law.has_value());
  for (const int a : {bad, good}) {
    EXPECT_NEAR(law->b1[a], published_law.b1[a], .01);
    for (const double K : {36., 39., 42.}) {
      EXPECT_NEAR(std::log(law->next(a, K) / published_law.next(a, K)), 0, 1e-3);
    }
  }
}

TEST(RepresentativeLaw, IsFoundForMostCalibrations) {
  for (const double beta : {.9, .95, .99, .998}) {
    for (const double gamma : {.5, 1., 2., 8.}) {
      for (const double alpha : {.1, .36, .6}) {
        Economy economy{Calibration()};
        economy.beta = beta;
        economy.gamma = gamma;
        economy.alpha = alpha;
        EXPECT_TRUE(representative_law(economy).has_value())
            << beta << " " << gamma << " " << alpha;
      }
    }
  }
}

TEST(RepresentativeLaw, IsEmptyForNaN) {
  Economy economy{Calibration()};
  economy.alpha = std::nan("");
  EXPECT_FALSE(representative_law(economy).has_value());
}

}  // namespace
}  // namespace macrobench::krusell_smith
