// How well a time is known: the mean over sittings covers the truth as often as it says.

#include "harness/numbers/noise.hpp"

#include <cmath>
#include <random>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

TEST(StudentT, IsWhatTablesSay) {
  for (const auto& [degrees, t] : {std::pair{3.0, 3.182},
                                   {4.0, 2.776},
                                   {5.0, 2.571},
                                   {10.0, 2.228},
                                   {30.0, 2.042},
                                   {1e6, 1.960}}) {
    EXPECT_NEAR(student_t(degrees) / t, 1, degrees > 3 ? 1e-3 : 2e-3) << degrees;
  }
}

TEST(NoiseOfSittings, IsTheUsualOneWhereNothingRepeats) {
  const std::vector<std::vector<SittingMean>> cases{{{.log_time = 1}}, {{.log_time = 7}}};
  const Noise noise = noise_of(cases, 0, 0.06);
  EXPECT_NEAR(noise.between, 0.06 * 0.06, 1e-15);
  EXPECT_EQ(noise.degrees, degrees_of_usual_noise);
  const ConfidenceInterval where = interval_of(pooled(cases[0], noise));
  EXPECT_NEAR(where.high / std::exp(1), std::exp(2.776 * 0.06), 1e-3);
}

TEST(NoiseOfSittings, IsThatOfTheRepeatsWhereThereAreMany) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> between(0, 0.2), within(0, 0.1);
  std::vector<std::vector<SittingMean>> cases;
  for (int i = 0; i < 2000; ++i) {
    cases.push_back({{.log_time = between(engine) + within(engine)},
                     {.log_time = between(engine) + within(engine)}});
  }
  EXPECT_NEAR(noise_of(cases, 0.01, 0.06).between, 0.04, 0.003) << "without what varies within";
  EXPECT_NEAR(noise_of(cases, 0, 0.06).between, 0.05, 0.004);
}

/// How often the interval of a case with m sittings has the truth in it: noise and case are
/// drawn anew each time, and the machine has other cases that repeat.
double coverage(std::size_t m, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  constexpr double usual = 0.1;
  constexpr int rounds = 4000;
  int inside = 0;
  for (int round = 0; round < rounds; ++round) {
    std::normal_distribution<double> between(0, usual), within(0, 0.03);
    const auto sitting = [&](int processes) {
      // The mean of as many processes varies as their median does on average.
      std::vector<double> all(static_cast<std::size_t>(processes));
      const double where = between(engine);
      for (double& one : all) one = where + within(engine);
      return SittingMean{.log_time = median(all), .processes = processes};
    };
    std::vector<std::vector<SittingMean>> cases;
    for (int other = 0; other < 20; ++other) cases.push_back({sitting(3), sitting(3)});
    std::vector<SittingMean> its;
    for (std::size_t i = 0; i < m; ++i) its.push_back(sitting(1 + static_cast<int>(i % 3)));
    cases.push_back(its);
    const ConfidenceInterval where = interval_of(pooled(its, noise_of(cases, 0.03 * 0.03, usual)));
    inside += where.low <= 1 && 1 <= where.high ? 1 : 0;
  }
  return static_cast<double>(inside) / rounds;
}

TEST(PooledTime, IsWhereItSaysNineteenTimesOfTwenty) {
  for (const std::size_t m : {1U, 2U, 5U}) {
    const double share = coverage(m, 10 + m);
    EXPECT_GE(share, 0.93) << m << " sittings";
    EXPECT_LE(share, 0.97) << m << " sittings";
  }
}

TEST(PooledTime, IsNeverBetterKnownWhereMoreNoiseIsExpected) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> any(0, 1);
  for (int i = 0; i < 1000; ++i) {
    std::vector<SittingMean> its;
    for (int m = 0; m <= i % 5; ++m) its.push_back({any(engine), 1 + m});
    const auto width = [&](double between) {
      const ConfidenceInterval where =
          interval_of(pooled(its, {.within = 0.001, .between = between, .degrees = 4}));
      return std::log(where.high / where.low);
    };
    const double between = 1e-3 + any(engine) / 10;
    EXPECT_GE(width(2 * between), width(between) * (1 - 1e-9)) << i;
  }
}

TEST(PooledTime, HasNoOrderOfSittings) {
  const Noise noise{.within = 0.01, .between = 0.02, .degrees = 8};
  const std::vector<SittingMean> there{{0.1, 1}, {0.3, 4}, {-0.2, 2}};
  const std::vector<SittingMean> back{{-0.2, 2}, {0.3, 4}, {0.1, 1}};
  EXPECT_DOUBLE_EQ(pooled(there, noise).log_time, pooled(back, noise).log_time);
  EXPECT_DOUBLE_EQ(pooled(there, noise).variance, pooled(back, noise).variance);
}

}  // namespace
}  // namespace macrobench
