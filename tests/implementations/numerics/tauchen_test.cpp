#include "implementations/numerics/methods/tauchen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace macrobench::numerics {
namespace {

TEST(Tauchen, RowsSumToOneAndNothingIsNegative) {
  for (const int n : {2, 3, 4, 9, 33}) {
    for (const double rho : {-0.9, 0.0, 0.5, 0.95, 0.999}) {
      const MarkovChain chain = tauchen(n, rho, 0.005, 3);
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j) {
          const double p = chain.transition[static_cast<std::size_t>(i * n + j)];
          EXPECT_GE(p, 0) << n << " states, rho " << rho << ", row " << i;
          sum += p;
        }
        EXPECT_NEAR(sum, 1, n * 1e-16) << n << " states, rho " << rho << ", row " << i;
      }
    }
  }
}

TEST(Tauchen, SpansTheHalfWidthEvenly) {
  const double rho = 0.95;
  const double sigma = 0.005;
  const MarkovChain chain = tauchen(5, rho, sigma, 3);
  const double top = 3 * sigma / std::sqrt(1 - rho * rho);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(chain.values[static_cast<std::size_t>(i)], top * (i - 2) / 2.0, 1e-15);
  }
}

TEST(Tauchen, WithoutPersistenceEveryRowIsTheSame) {
  const MarkovChain chain = tauchen(4, 0, 1, 2);
  for (std::size_t i = 1; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(chain.transition[i * 4 + j], chain.transition[j]);
    }
  }
}

TEST(Tauchen, TwoStatesHaveAClosedForm) {
  // With states -x and x the boundary is at 0: P(stay) = Phi(rho x / sigma).
  const double rho = 0.6;
  const double sigma = 0.1;
  const MarkovChain chain = tauchen(2, rho, sigma, 1.5);
  const double x = 1.5 * sigma / std::sqrt(1 - rho * rho);
  const double stay = 0.5 * std::erfc(-rho * x / sigma / std::sqrt(2.0));
  EXPECT_NEAR(chain.transition[0], stay, 1e-15);
  EXPECT_NEAR(chain.transition[3], stay, 1e-15);
}

TEST(Tauchen, MirroredChainHasMirroredRows) {
  const int n = 4;
  const MarkovChain chain = tauchen(n, 0.95, 0.005, 3);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(chain.transition[i * n + j], chain.transition[(n - 1 - i) * n + n - 1 - j],
                  1e-14);
    }
  }
}

TEST(Tauchen, RefusesWhatHasNoChain) {
  EXPECT_THROW(tauchen(1, 0.5, 1, 3), std::invalid_argument);
  EXPECT_THROW(tauchen(3, 1, 1, 3), std::invalid_argument);
  EXPECT_THROW(tauchen(3, 0.5, 0, 3), std::invalid_argument);
  EXPECT_THROW(tauchen(3, 0.5, 1, -1), std::invalid_argument);
  EXPECT_THROW(tauchen(3, std::numeric_limits<double>::quiet_NaN(), 1, 3), std::invalid_argument);
}

}  // namespace
}  // namespace macrobench::numerics
