// What a regression check concludes from its measurements.

#include "harness/regress/regression.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// Pairs around a planted ratio. The noise is that of a machine: most of it hits both sides of a
/// pair, some of it one.
RegressionCase planted(double ratio, int pairs, double noise, unsigned seed = 1) {
  std::mt19937 engine(seed);
  const auto draw = [&] { return static_cast<double>(engine() % 10'001) / 10'000; };
  RegressionCase one{.key = "fake/plain size=1"};
  for (int i = 0; i < pairs; ++i) {
    const double both = 1 + draw();
    one.base.push_back(both * (1 + noise * draw()));
    one.head.push_back(both * ratio * (1 + noise * draw()));
  }
  return one;
}

Verdict verdict_on(double ratio, double noise, unsigned seed = 1, RegressionTerms terms = {}) {
  RegressionCase one = planted(ratio, terms.pairs, noise, seed);
  conclude(one, terms);
  return one.verdict;
}

TEST(Regression, TellsAPlantedRatio) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(verdict_on(1.10, 0.05, seed), Verdict::slower) << seed;
    EXPECT_EQ(verdict_on(0.85, 0.05, seed), Verdict::faster) << seed;
    EXPECT_EQ(verdict_on(1.00, 0.02, seed), Verdict::same) << seed;
    EXPECT_EQ(verdict_on(1.03, 0.02, seed), Verdict::ambiguous) << seed;
    EXPECT_EQ(verdict_on(1 / 1.03, 0.02, seed), Verdict::not_slower) << seed;
  }
}

TEST(Regression, RaisesNoAlarmOverNoise) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    EXPECT_NE(verdict_on(1.0, 0.3, seed), Verdict::slower) << seed;
    EXPECT_NE(verdict_on(1.0, 0.3, seed), Verdict::faster) << seed;
  }
}

TEST(Regression, IsNotMovedByAFewSpoiltPairs) {
  RegressionCase one = planted(1.0, 21, 0.01);
  for (int i = 0; i < 3; ++i) one.head[static_cast<std::size_t>(5 * i)] *= 10;
  conclude(one, {});
  EXPECT_EQ(one.verdict, Verdict::same);
}

TEST(Regression, TakesTiesForWhatTheyAre) {
  RegressionCase one{.key = "a", .base = std::vector<double>(21, 2), .head = {}};
  one.head = one.base;
  conclude(one, {});
  EXPECT_EQ(one.verdict, Verdict::same);
  EXPECT_EQ(*one.ratio, 1);
  EXPECT_EQ(one.interval->low, 1);
  EXPECT_EQ(one.interval->high, 1);
}

TEST(Regression, TheThresholdItselfIsNotBeyondIt) {
  RegressionTerms terms{.threshold = 1.5};
  RegressionCase one{
      .key = "a", .base = std::vector<double>(21, 2), .head = std::vector<double>(21, 3)};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::same);
  one.head.assign(21, 3.001);
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::slower);
}

TEST(Regression, TooFewPairsTellNothing) {
  EXPECT_EQ(least_pairs(0.995), 9);
  EXPECT_EQ(least_pairs(0.95), 6);
  EXPECT_EQ(least_pairs(0.5), 2);
  RegressionCase one = planted(2.0, 8, 0.01);
  conclude(one, {});
  EXPECT_EQ(one.verdict, Verdict::ambiguous);
  EXPECT_FALSE(one.interval);
  EXPECT_THAT(one.advice, HasSubstr("at least 9 pairs"));
  one = planted(2.0, 9, 0.01);
  conclude(one, {});
  EXPECT_EQ(one.verdict, Verdict::slower);
}

TEST(Regression, SaysWhatToDoAboutAnAmbiguousCase) {
  // The interval would need to be about half as wide: four times the pairs.
  RegressionCase some = planted(1.055, 21, 0.15, 3);
  conclude(some, {});
  ASSERT_EQ(some.verdict, Verdict::ambiguous);
  EXPECT_THAT(some.advice, HasSubstr("--pairs"));
  EXPECT_THAT(some.advice, HasSubstr("--instructions"));
  RegressionCase hopeless = planted(1.03, 21, 0.01);
  conclude(hopeless, {});
  ASSERT_EQ(hopeless.verdict, Verdict::ambiguous);
  EXPECT_THAT(hopeless.advice, Not(HasSubstr("--pairs")));
  EXPECT_THAT(hopeless.advice, HasSubstr("quieter machine"));
}

TEST(Regression, SaysWhereACauseIsNotToBeFound) {
  RegressionCase one = planted(1.5, 21, 0.01);
  one.same_source = true;
  conclude(one, {});
  EXPECT_EQ(one.verdict, Verdict::slower);
  EXPECT_THAT(one.advice, HasSubstr("its sources are the same in both"));
  one = planted(1.5, 21, 0.01);
  conclude(one, {});
  EXPECT_THAT(one.advice, IsEmpty());
}

TEST(Regression, ACountOfInstructionsNeedsOnePair) {
  const RegressionTerms terms{.instructions = true};
  RegressionCase one{.key = "a", .base = {1'000'000}, .head = {1'029'000}};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::same);
  one.head = {1'031'000};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::slower);
  one.head = {900'000};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::faster);
  one.base = {0};
  conclude(one, terms);
  EXPECT_EQ(one.verdict, Verdict::failed);
  EXPECT_THAT(one.why, HasSubstr("no instruction was counted"));
}

TEST(Regression, TheLeastDisturbedSolutionIsTheSmallest) {
  Record record = a_record();
  record.samples.resize(1);
  record.samples[0].first_solution = 3;
  record.samples[0].solutions = {2, 1.5, 9};
  EXPECT_EQ(least_disturbed(record), 1.5);
  record.samples[0].solutions = {};
  EXPECT_EQ(least_disturbed(record), 3);
  record.samples.clear();
  EXPECT_TRUE(std::isnan(least_disturbed(record)));
}

// --- exit codes --------------------------------------------------------------------------------

Regression with(const std::vector<Verdict>& verdicts) {
  Regression regression;
  for (const Verdict verdict : verdicts) {
    regression.cases.push_back({.key = to_string(verdict), .verdict = verdict});
  }
  return regression;
}

ExitCode code(const std::vector<Verdict>& verdicts, const RegressionLeniency& leniency = {}) {
  return exit_code_of(with(verdicts), leniency);
}

TEST(RegressionExitCode, IsTheGravestCases) {
  using enum Verdict;
  EXPECT_EQ(code({}), ExitCode::ok);
  EXPECT_EQ(code({same, faster, not_slower, is_new, left_out}), ExitCode::ok);
  EXPECT_EQ(code({same, ambiguous}), ExitCode::ambiguous);
  EXPECT_EQ(code({ambiguous, slower, same}), ExitCode::slower);
  EXPECT_EQ(code({slower, invalid, ambiguous}), ExitCode::invalid);
  EXPECT_EQ(code({faster, invalid}), ExitCode::invalid);
  EXPECT_EQ(code({failed, invalid, slower}), ExitCode::failed);
  EXPECT_EQ(static_cast<int>(ExitCode::slower), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::ambiguous), 5);
}

TEST(RegressionExitCode, ForgivesWhatItIsToldTo) {
  using enum Verdict;
  EXPECT_EQ(code({ambiguous}, {.ambiguous = true}), ExitCode::ok);
  EXPECT_EQ(code({ambiguous, slower}, {.ambiguous = true}), ExitCode::slower);
  EXPECT_EQ(code({slower}, {.slower = true}), ExitCode::ok);
  EXPECT_EQ(code({slower, ambiguous}, {.slower = true}), ExitCode::ambiguous);
  EXPECT_EQ(code({invalid}, {.slower = true, .ambiguous = true}), ExitCode::invalid);
}

TEST(RegressionExitCode, ABaseThatCannotRunAtAllIsNoPass) {
  Regression regression = with({Verdict::is_new, Verdict::is_new});
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::ok);
  regression.cases[0].base_failed = true;
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::failed);
  regression.cases[1] = unchanged("a");
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::failed) << "nothing was compared with it";
  regression.cases[1].ratio = 1;
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::ok);
}

TEST(Regression, SortsTheWorstFirst) {
  using enum Verdict;
  Regression regression = with({same, slower, slower, failed, left_out, invalid});
  regression.cases[1].ratio = 1.1;
  regression.cases[2].ratio = 1.3;
  std::vector<Verdict> verdicts;
  for (const RegressionCase* one : worst_first(regression)) verdicts.push_back(one->verdict);
  EXPECT_THAT(verdicts, ElementsAre(failed, invalid, slower, slower, same, left_out));
  EXPECT_EQ(*worst_first(regression)[2]->ratio, 1.3);
  EXPECT_EQ(summary_of(regression), "1 failed, 1 invalid, 2 slower, 1 same, 1 left out");
  EXPECT_EQ(summary_of({}), "no cases");
}

}  // namespace
}  // namespace macrobench
