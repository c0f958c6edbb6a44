#include "harness/records/statistics.hpp"

#include <gtest/gtest.h>

#include <random>

namespace macrobench {
namespace {

std::vector<double> around(double center, int count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    samples.push_back(center * (0.95 + 0.1 * static_cast<double>(engine() % 1000) / 999));
  }
  return samples;
}

TEST(IntervalOfMedian, IsOfOrderStatistics) {
  const auto of_first = [](int n) {
    std::vector<double> values;
    for (int i = n; i > 0; --i) values.push_back(i);
    const auto [low, high] = interval_of_median(values);
    return std::pair(low, high);
  };
  EXPECT_EQ(of_first(1), std::pair(1.0, 1.0));
  EXPECT_EQ(of_first(3), std::pair(1.0, 3.0)) << "three are too few: the smallest and the largest";
  EXPECT_EQ(of_first(6), std::pair(1.0, 6.0)) << "enclose it with 96.9%";
  EXPECT_EQ(of_first(9), std::pair(2.0, 8.0)) << "96.1%; the third and the seventh 82%";
  EXPECT_EQ(of_first(100), std::pair(40.0, 61.0));
  EXPECT_EQ(of_first(10'000), std::pair(4902.0, 5099.0)) << "half of them, and 1.96 times 50";
}

/// The share of samples of this size whose interval misses the value that they are around.
double missed(int pairs, double confidence) {
  constexpr int tries = 4000;
  int missed = 0;
  for (unsigned seed = 0; seed < tries; ++seed) {
    const auto interval = interval_of_pairs(around(1.1, pairs, seed), confidence);
    missed += interval->low <= 1.1 && 1.1 <= interval->high ? 0 : 1;
  }
  return static_cast<double>(missed) / tries;
}

TEST(IntervalOfPairs, MissesNoMoreOftenThanItSaysHoweverFewThereAre) {
  for (const int pairs : {6, 7, 9, 11, 21, 22}) {
    EXPECT_LE(missed(pairs, 0.95), 0.05 + 0.008) << pairs;
  }
  for (const int pairs : {9, 10, 21}) EXPECT_LE(missed(pairs, 0.995), 0.005 + 0.003) << pairs;
}

TEST(IntervalOfPairs, StaysWithinThem) {
  const std::vector<double> ratios{1, 1, 1, 1, 1, 1, 1, 1, 9};
  const auto interval = interval_of_pairs(ratios, 0.995);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 9);
  EXPECT_FALSE(interval_of_pairs({1, 1, 1, 1, 1, 1, 1, 1}, 0.995)) << "too few for 99.5%";
  EXPECT_TRUE(interval_of_pairs({1, 1, 1, 1, 1, 1, 1, 1}, 0.95));
  EXPECT_FALSE(interval_of_pairs({}, 0.5));
}

}  // namespace
}  // namespace macrobench
