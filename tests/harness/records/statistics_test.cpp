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

TEST(Bootstrap, HoldsTheRatioOfWhatTheSamplesAreAround) {
  int held = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto interval =
        bootstrap_ratio_of_medians(around(3, 25, 2 * seed), around(2, 25, 2 * seed + 1));
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->low, interval->high);
    EXPECT_LT(interval->high - interval->low, 0.2);
    held += interval->low <= 1.5 && 1.5 <= interval->high ? 1 : 0;
  }
  EXPECT_GE(held, 34) << "of 40, at 95%";
}

TEST(Bootstrap, IsTheSameForTheSameSamplesAndWiderWithMoreConfidence) {
  const std::vector<double> a = around(1, 9, 1);
  const std::vector<double> b = around(1, 9, 2);
  const auto once = bootstrap_ratio_of_medians(a, b);
  const auto again = bootstrap_ratio_of_medians(a, b);
  EXPECT_EQ(once->low, again->low);
  EXPECT_EQ(once->high, again->high);
  const auto surer = bootstrap_ratio_of_medians(a, b, 0.995);
  EXPECT_LE(surer->low, once->low);
  EXPECT_GE(surer->high, once->high);
}

TEST(Bootstrap, TakesASingleNumberAsKnown) {
  const auto interval = bootstrap_ratio_of_medians({10}, {2, 2, 2});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 5);
  EXPECT_EQ(interval->high, 5);
  EXPECT_FALSE(bootstrap_ratio_of_medians({10}, {2}));
  EXPECT_FALSE(bootstrap_ratio_of_medians({}, {2, 3}));
}

TEST(Bootstrap, OfPairsHoldsThePlantedRatioAsOftenAsItSays) {
  int held = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto interval = bootstrap_median_ratio(around(1.1, 21, seed), 0.995);
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->high - interval->low, 0.11);
    held += interval->low <= 1.1 && 1.1 <= interval->high ? 1 : 0;
  }
  EXPECT_GE(held, 38) << "of 40, at 99.5%";
}

TEST(Bootstrap, OfPairsStaysWithinThem) {
  const std::vector<double> ratios{1, 1, 1, 1, 1, 1, 1, 1, 9};
  const auto interval = bootstrap_median_ratio(ratios, 0.995);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
  EXPECT_LE(interval->high, 9);
  EXPECT_FALSE(bootstrap_median_ratio({1, 1, 1, 1, 1, 1, 1, 1}, 0.995)) << "too few for 99.5%";
  EXPECT_TRUE(bootstrap_median_ratio({1, 1, 1, 1, 1, 1, 1, 1}, 0.95));
  EXPECT_FALSE(bootstrap_median_ratio({}, 0.5));
}

/// By drawing every number of every resample, each of the two takes minutes.
TEST(Bootstrap, OfManySamplesIsTheIntervalOfOrderStatistics) {
  std::vector<double> many = around(1, 1'000'000, 1);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] += 1e-9 * static_cast<double>(i);
  const auto [low, high] = interval_of_median(many);
  const auto paired = bootstrap_median_ratio(many, 0.95);
  const auto ratio = bootstrap_ratio_of_medians(many, {1});
  for (const auto& interval : {paired, ratio}) {
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->low, low, 0.1 * (high - low));
    EXPECT_NEAR(interval->high, high, 0.1 * (high - low));
  }
}

TEST(Bootstrap, IsAsWideWhetherItDrawsTheSamplesOrTheirRanks) {
  const auto width = [](int count) {
    const auto interval = bootstrap_median_ratio(around(1, count, 3), 0.95);
    return interval->high - interval->low;
  };
  EXPECT_NEAR(width(1001) / width(1000), 1, 0.15);
}

}  // namespace
}  // namespace macrobench
