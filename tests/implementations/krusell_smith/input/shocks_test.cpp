#include "implementations/krusell_smith/input/shocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>

#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/numerics/methods/philox.hpp"

namespace macrobench::krusell_smith {
namespace {

Problem small(int N, int T, int threads = 1) {
  Problem problem;
  problem.N = N;
  problem.T = T;
  problem.threads = threads;
  return problem;
}

TEST(Shocks, AreUniformNumbersComparedWithTheChances) {
  const Problem problem = small(300, 60);
  const Economy economy(problem.calibration);
  const Shocks shocks = draw_shocks(problem);
  for (int i = 0; i < problem.N; ++i) {
    int before = employed;
    for (int t = 0; t < problem.T; ++t) {
      std::uint64_t uniform = 0;
      for (std::uint32_t bit = 0; bit < 64; ++bit) {
        const numerics::Random128 draw = numerics::philox(
            {{static_cast<std::uint32_t>(i / 128), static_cast<std::uint32_t>(t), bit, 0}},
            static_cast<std::uint64_t>(problem.seed));
        uniform = uniform << 1 | (draw.word[i % 128 / 32] >> (31 - i % 32) & 1);
      }
      const double chance =
          t == 0 ? 0.1 : economy.chance_of_unemployment(before, shocks.a(t - 1), shocks.a(t));
      const int now =
          std::ldexp(static_cast<double>(uniform), -64) < chance ? unemployed : employed;
      ASSERT_EQ(shocks.employment(i, t), now) << "agent " << i << ", period " << t;
      before = now;
    }
  }
}

TEST(Shocks, HaveTheMostSignificantBitFirstAndNothingAfterTheLastAgent) {
  const Shocks shocks = draw_shocks(small(131, 7));
  EXPECT_EQ(shocks.stride, 32U);
  for (int t = 0; t < 7; ++t) {
    for (int i = 0; i < 256; ++i) {
      const bool bit = (shocks.row(t)[i / 8] & (128 >> (i % 8))) != 0;
      EXPECT_EQ(bit, i < 131 && shocks.employment(i, t) == employed);
    }
  }
}

TEST(Shocks, AreTheSameAtAnyThreadCountAndSizeOfThePanel) {
  const Shocks reference = draw_shocks(small(20'000, 40));
  EXPECT_EQ(draw_shocks(small(20'000, 40, 3)).bits, reference.bits);
  for (const int N : {1, 7, 8, 33, 127, 128, 129, 9'001}) {
    const Shocks fewer = draw_shocks(small(N, 25));
    for (int t = 0; t < 25; ++t) {
      EXPECT_EQ(fewer.a(t), reference.a(t));
      for (int i = 0; i < N; ++i) {
        ASSERT_EQ(fewer.employment(i, t), reference.employment(i, t)) << N;
      }
    }
  }
  Problem other = small(20'000, 40);
  ++other.seed;
  EXPECT_NE(draw_shocks(other).bits, reference.bits);
  EXPECT_NE(draw_shocks(other).states, draw_shocks(small(20'000, 400)).states);
}

TEST(Shocks, OfTheFirstAgentsAreThoseOfASmallerAndShorterPanel) {
  const Shocks few = first_agents(draw_shocks(small(1'000, 50)), 256, 40);
  const Shocks drawn = draw_shocks(small(256, 40));
  EXPECT_EQ(few.N, drawn.N);
  EXPECT_EQ(few.stride, drawn.stride);
  EXPECT_EQ(few.bits, drawn.bits);
  EXPECT_EQ(few.states, drawn.states);
}

TEST(Shocks, OfASampleAreThoseOfItsGroupsInThePopulation) {
  const Problem whole = small(128 * 70 + 5, 30);
  Problem sample = small(128 * 10, 30);
  sample.group_stride = 7;
  const Shocks all = draw_shocks(whole);
  const Shocks some = draw_shocks(sample);
  EXPECT_EQ(some.states, all.states);
  for (int t = 0; t < sample.T; ++t) {
    for (int i = 0; i < sample.N; ++i) {
      ASSERT_EQ(some.employment(i, t), all.employment(i / 128 * 128 * 7 + i % 128, t)) << i;
    }
  }
}

TEST(Shocks, AreOnlyTheStatesWherePanelsDrawThemselves) {
  const Problem problem = small(1'000, 30);
  const std::shared_ptr<const Shocks> states = aggregate_of(problem);
  EXPECT_EQ(states->states, draw_shocks(problem).states);
  EXPECT_TRUE(states->bits.empty());
  EXPECT_TRUE(first_agents(*states, 256, 40).bits.empty());
}

TEST(Sample, IsWholeGroupsFromAllOverThePopulation) {
  EXPECT_EQ(kept_of(small(most_agents, 10)), small(most_agents, 10));
  for (const int N : {most_agents + 1, 1'000'000'000, std::numeric_limits<int>::max()}) {
    const Problem kept = kept_of(small(N, 10));
    EXPECT_EQ(kept.N % 128, 0);
    EXPECT_GT(kept.N, 100'000);
    const std::int64_t last = (std::int64_t{kept.N / 128} - 1) * 128 * kept.group_stride + 127;
    EXPECT_LT(last, N);
    EXPECT_GT(static_cast<double>(last), 0.99 * N);
    EXPECT_EQ(kept_of(kept), kept);
  }
}

TEST(Shocks, MoveAsTheTransitionMatrixSays) {
  const Problem problem = small(5'000, 2'000);
  const Economy economy(problem.calibration);
  const Shocks shocks = draw_shocks(problem);
  EXPECT_EQ(shocks.a(0), bad);
  double aggregate[2][2] = {};
  double count[2][2][2][2] = {};
  for (int t = 0; t + 1 < problem.T; ++t) {
    const int a = shocks.a(t);
    const int next = shocks.a(t + 1);
    ++aggregate[a][next];
    for (int i = 0; i < problem.N; ++i) {
      ++count[a][next][shocks.employment(i, t)][shocks.employment(i, t + 1)];
    }
  }
  for (const int a : {bad, good}) {
    const double from = aggregate[a][bad] + aggregate[a][good];
    EXPECT_NEAR(aggregate[a][a] / from, 7. / 8, 5 * std::sqrt(7. / 64 / from));
    for (const int next : {bad, good}) {
      for (const int e : {unemployed, employed}) {
        const double* to = count[a][next][e];
        const double all = to[unemployed] + to[employed];
        const double p = economy.chance_of_unemployment(e, a, next);
        EXPECT_NEAR(to[unemployed] / all, p, 5 * std::sqrt(p * (1 - p) / all));
      }
    }
  }
}

TEST(Shocks, LeaveUnemploymentAtItsTwoRates) {
  const Problem problem = small(50'000, 60);
  const Shocks shocks = draw_shocks(problem);
  for (int t = 0; t < problem.T; ++t) {
    double works = 0;
    for (int i = 0; i < problem.N; ++i) works += shocks.employment(i, t);
    const double u = shocks.a(t) == bad ? 0.1 : 0.04;
    EXPECT_NEAR(1 - works / problem.N, u, 5 * std::sqrt(u * (1 - u) / problem.N)) << t;
  }
}

TEST(Shocks, AreDrawnOnceForAProblem) {
  const Problem problem = small(100, 20);
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  EXPECT_EQ(shocks_of(problem), shocks);
  EXPECT_EQ(shocks->bits, draw_shocks(problem).bits);
  EXPECT_NE(shocks_of(small(101, 20)), shocks);
}

TEST(InitialWealth, HasTheSuitesMoments) {
  std::vector<double> k = initial_wealth(10'000);
  const double mean = std::accumulate(k.begin(), k.end(), 0.0) / 10'000;
  double squares = 0;
  for (const double x : k) squares += (x - mean) * (x - mean);
  EXPECT_NEAR(mean, 36.7, 0.05);
  EXPECT_NEAR(std::sqrt(squares / 10'000), 16.9, 0.4);
  EXPECT_FALSE(std::ranges::is_sorted(k));
  std::ranges::sort(k);
  EXPECT_NEAR(k[500], 9.4, 0.05);
  EXPECT_NEAR(k[2'500], 24.3, 0.05);
  EXPECT_NEAR(k[5'000], 36.8, 0.05);
  EXPECT_NEAR(k[7'500], 48.6, 0.05);
  EXPECT_NEAR(k[9'500], 65.0, 0.05);
  EXPECT_GE(k.front(), 0);
  EXPECT_LE(k.back(), highest_initial_wealth);
}

TEST(FirstHistogram, HoldsTheSameDistributionByEmployment) {
  const Problem problem;
  const std::vector<double> k = histogram_points(problem);
  const std::vector<double> mass = first_histogram(problem, draw_shocks(small(1, 2)));
  double all = 0;
  double mean = 0;
  double unemployment = 0;
  for (std::size_t n = 0; n < mass.size(); ++n) {
    EXPECT_GE(mass[n], 0);
    all += mass[n];
    mean += mass[n] * k[n % k.size()];
    if (n < k.size()) unemployment += mass[n];
  }
  EXPECT_NEAR(all, 1, 1e-14);
  EXPECT_NEAR(unemployment, 0.1, 1e-14);
  EXPECT_NEAR(mean, 36.7, 0.05);
}

}  // namespace
}  // namespace macrobench::krusell_smith
