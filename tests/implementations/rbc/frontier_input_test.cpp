// What frontier_cuda's kernel reads of an economy, made on the host.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/frontier/input.hpp"

namespace macrobench::rbc::frontier {
namespace {

Input made(const Problem& problem) {
  const std::optional<ContinuousSolution> continuous = continuous_start(problem);
  return input_of(problem, continuous ? &*continuous : nullptr);
}

TEST(FrontierInput, HasTheGridAndTheDiscountedTransitions) {
  Problem problem;
  problem.nk = 4096;
  const Input input = made(problem);
  const Grids<double> grids = make_grids<double>(problem);
  EXPECT_EQ(input.low, grids.K.front());
  EXPECT_NEAR(input.low + 4095 * input.step, grids.K.back(), 1e-12);
  for (std::ptrdiff_t k = 0; k < 16; ++k) {
    EXPECT_EQ(input.numbers[static_cast<std::size_t>(input.beta_P + k)],
              grids.P[static_cast<std::size_t>(k)] * problem.calibration.beta);
  }
  // Each row of discounts is the square of the one before; the last power is all but nothing.
  std::vector<float> discount(static_cast<std::size_t>(input.doublings) * 4);
  std::memcpy(discount.data(), &input.numbers[static_cast<std::size_t>(input.discount)],
              discount.size() * sizeof(float));
  for (std::size_t n = 4; n < discount.size(); ++n) {
    EXPECT_NEAR(discount[n], discount[n - 4] * discount[n - 4], 1e-6);
  }
  EXPECT_LE(discount.back() * discount.back(), 0.0101F);
  EXPECT_EQ(input.resolvent, Input::none) << "persistent shocks couple the productivities weakly";
}

TEST(FrontierInput, HasTheInverseWhereTheCouplingIsStrong) {
  Problem problem;
  problem.nz = 3;
  problem.calibration.rho = 0;
  const Input input = made(problem);
  ASSERT_NE(input.resolvent, Input::none);
  const double* beta_P = &input.numbers[static_cast<std::size_t>(input.beta_P)];
  const double* inverse = &input.numbers[static_cast<std::size_t>(input.resolvent)];
  const double* coupling = &input.numbers[static_cast<std::size_t>(input.coupling)];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double identity = inverse[3 * i + j];
      double off_diagonal = 0;
      for (int l = 0; l < 3; ++l) {
        identity -= inverse[3 * i + l] * beta_P[3 * l + j];
        if (l != j) off_diagonal += inverse[3 * i + l] * beta_P[3 * l + j];
      }
      EXPECT_NEAR(identity, i == j ? 1 : 0, 1e-11);
      EXPECT_NEAR(coupling[3 * i + j], off_diagonal, 1e-11);
    }
  }
}

TEST(FrontierInput, ExpectsOnePassToDoOnAFineGrid) {
  Problem problem;
  problem.nk = 1 << 20;
  EXPECT_TRUE(made(problem).in_one_pass);
  problem.nk = 1 << 10;
  EXPECT_FALSE(made(problem).in_one_pass);
}

TEST(FrontierInput, OfABatchIsThatOfEachOnAnyNumberOfThreads) {
  Problem batch;
  batch.nk = 512;
  batch.economies = 40;
  batch.calibration.rho = 0.9;  // some have no continuous solution
  for (const int threads : {1, 3}) {
    batch.threads = threads;
    const std::vector<Input> inputs = inputs_of(batch, 5, 30);
    ASSERT_EQ(inputs.size(), 30U);
    int without = 0;
    for (int e = 0; e < 30; ++e) {
      const Problem one = economy_of(batch, 5 + e);
      const Input& input = inputs[static_cast<std::size_t>(e)];
      if (!continuous_start(one)) {
        ++without;
        EXPECT_EQ(input.terms, 0);
        EXPECT_TRUE(input.numbers.empty());
        continue;
      }
      const Input alone = made(one);
      EXPECT_EQ(input.numbers.size(), alone.numbers.size());
      EXPECT_EQ(std::memcmp(input.numbers.data(), alone.numbers.data(),
                            alone.numbers.size() * sizeof(double)),
                0);
      EXPECT_EQ(input.shift, alone.shift);
    }
    EXPECT_GT(without, 0);
    EXPECT_LT(without, 30);
  }
}

}  // namespace
}  // namespace macrobench::rbc::frontier
