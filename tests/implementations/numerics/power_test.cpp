#include "implementations/numerics/methods/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace macrobench::numerics {
namespace {

TEST(SeventhRoot, IsGoodToTheLastPlacesFromZeroToOne) {
  EXPECT_EQ(seventh_root(0.0), 0);
  EXPECT_EQ(seventh_root(0.0F), 0);
  for (double x = 1; x > 1e-30; x *= 0.83) {
    EXPECT_NEAR(seventh_root(x) / std::pow(x, 1.0 / 7), 1, 1e-15) << x;
    const auto single = static_cast<float>(x);
    EXPECT_NEAR(seventh_root(single) / std::pow(single, 1.0F / 7), 1, 2e-6) << x;
  }
  EXPECT_LT(seventh_root(1e-60), 1e-5);
  EXPECT_GE(seventh_root(1e-60), 0);
}

}  // namespace
}  // namespace macrobench::numerics
