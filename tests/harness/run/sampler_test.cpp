#include "harness/run/sampler.hpp"

#include <gtest/gtest.h>

namespace macrobench {
namespace {

const Sampling two_seconds{.seconds = 2};

/// How many samples it takes of what `seconds` says the i-th takes.
template <class Seconds>
int taken(const Sampling& sampling, Seconds seconds) {
  StoppingCriterion criterion(sampling);
  int count = 0;
  while (!criterion.is_finished() && count < 100'000) criterion.add(seconds(count++));
  return count;
}

TEST(StoppingCriterion, ASteadySolverTakesTheMinimum) {
  EXPECT_EQ(taken({}, [](int) { return 1e-3; }), 3);
}

TEST(StoppingCriterion, AColdFirstSolutionSoonDoesNotMatter) {
  EXPECT_EQ(taken(two_seconds, [](int i) { return i == 0 ? 1.0 : 1e-3; }), 5);
}

TEST(StoppingCriterion, ANoisySolverTakesMoreUntilTheSpreadIsSmall) {
  const auto noisy = [](int i) { return 1e-3 * (1 + 0.1 * (i * 7 % 11 - 5) / 5.0); };
  const int count = taken({}, noisy);
  EXPECT_GT(count, 6);
  EXPECT_LT(count, 200);
  Sampling strict;
  strict.relative_spread = 0.01;
  EXPECT_GT(taken(strict, noisy), count);
}

TEST(StoppingCriterion, NeverMoreThanTheMaximum) {
  EXPECT_EQ(taken({}, [](int i) { return i % 2 == 0 ? 1e-6 : 3e-6; }), 200);
}

TEST(StoppingCriterion, NoFurtherSampleOnceTheTimeIsSpent) {
  EXPECT_EQ(taken(two_seconds, [](int i) { return i % 2 == 0 ? 0.1 : 0.3; }), 10);
}

TEST(StoppingCriterion, ALongSolutionIsEnoughByItself) {
  EXPECT_EQ(taken(two_seconds, [](int) { return 2.5; }), 1);
  EXPECT_EQ(taken(two_seconds, [](int) { return 1.5; }), 3);
}

TEST(StoppingCriterion, NothingIsNotEnough) {
  EXPECT_FALSE(StoppingCriterion(Sampling{}).is_finished());
}

}  // namespace
}  // namespace macrobench
