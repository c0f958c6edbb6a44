#include "implementations/beliefs/certificate.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

#include "tests/implementations/beliefs/brute_force.hpp"
#include "tests/implementations/beliefs/plain_equilibrium.hpp"
#include "tests/matchers.hpp"

namespace macrobench::beliefs {
namespace {

TEST(ReferenceSums, AreTheTreesByHand) {
  for (const bool starts_low : {false, true}) {
    for (const double gamma_2 : {2.0, 0.6, 7.0}) {
      Problem problem;
      problem.T = 9;
      Calibration& c = problem.calibration;
      c.starts_low = starts_low;
      c.gamma_2 = gamma_2;
      c.beta_2 = 0.9;
      c.believed_pi_hh = 0.6;
      c.C0 = 2;
      const Consumption at_s0{(c.C0 - c.mu_2 * 1.3) / c.mu_1, 1.3};
      const std::vector<PeriodSums> sums =
          reference_sums(problem, at_s0, std::vector<bool>(10, true));
      const BruteForce::Sums tree = BruteForce{c, at_s0}.sums(problem.T);
      for (std::size_t t = 0; t <= 9; ++t) {
        EXPECT_NEAR(sums[t].wealth / static_cast<double>(tree.wealth[t]), 1, 3e-14) << t;
        EXPECT_NEAR(sums[t].spending / static_cast<double>(tree.spending[t]), 1, 3e-14) << t;
      }
    }
  }
}

TEST(Classes, AreTheDistinctTransitionsOfATree) {
  for (const bool starts_low : {false, true}) {
    for (int t = 1; t <= 14; ++t) {
      std::set<std::tuple<int, int, int, int>> distinct;
      for (std::int64_t node = 0; node < nodes_in_period(t); ++node) {
        const Transitions n = transitions_of(node, t, starts_low);
        EXPECT_EQ(n.periods(), t);
        distinct.insert({n.hh, n.hl, n.lh, n.ll});
      }
      EXPECT_EQ(static_cast<double>(distinct.size()), classes_in_period(t)) << t;
    }
  }
  EXPECT_EQ(classes_up_to(30), 4990) << "as the picture's words on the beliefs say";
}

TEST(Transitions, AreThoseOfTheBits) {
  // h, then l l h l (bits 0, 1 and 3).
  EXPECT_EQ(transitions_of(0b1011, 4, false), (Transitions{.hh = 0, .hl = 2, .lh = 1, .ll = 1}));
  EXPECT_EQ(transitions_of(0b1011, 4, true), (Transitions{.hh = 0, .hl = 1, .lh = 1, .ll = 2}));
  EXPECT_EQ(transitions_of(0, 40, false), (Transitions{.hh = 40}));
  EXPECT_EQ(transitions_of(nodes_in_period(40) - 1, 40, true), (Transitions{.ll = 40}));
}

TEST(Sample, IsTheSameForAllAndOfEveryStretchOfTime) {
  Problem problem;
  problem.T = 400;
  const std::vector<Transitions> histories = sampled_histories(problem);
  EXPECT_EQ(histories, sampled_histories(problem));
  EXPECT_LE(histories.size(), 256U);
  std::set<int> tenths;
  std::set<int> shares_of_lows;
  for (const Transitions& n : histories) {
    tenths.insert((n.periods() - 1) * 10 / problem.T);
    shares_of_lows.insert(n.lows() * 10 / n.periods());
  }
  EXPECT_EQ(tenths.size(), 10U);
  EXPECT_GE(shares_of_lows.size(), 9U);
}

TEST(GrowthRates, HaveThePapersMomentsOnlyIfTheTwoPrintedAreSwapped) {
  const Calibration c;
  const double high = (1 - c.pi_ll) / (2 - c.pi_hh - c.pi_ll);
  const auto annual_mean = [&](double alpha_h, double alpha_l) {
    return 4 * (high * alpha_h + (1 - high) * alpha_l);
  };
  const double annual_sd = 2 * (c.alpha_h - c.alpha_l) * std::sqrt(high * (1 - high));
  EXPECT_NEAR(annual_mean(c.alpha_h, c.alpha_l), 0.01988, 5e-6);
  EXPECT_NEAR(annual_sd, 0.00707, 5e-6);
  EXPECT_NEAR(annual_mean(-0.005011, 0.006222), -0.0150, 5e-5) << "as printed";
}

/// An equilibrium that is right, to be spoilt.
class Certificate : public ::testing::Test {
 protected:
  Certificate() {
    problem_.T = 20;
    problem_.calibration.gamma_2 = 3;
    solve();
  }

  void solve() { right_ = plain_equilibrium(problem_); }

  [[nodiscard]] Outcome judged(const std::function<void(Equilibrium&)>& spoil,
                               bool thorough = false) const {
    Equilibrium spoilt = right_;
    spoil(spoilt);
    return judge(problem_, spoilt, thorough);
  }

  Problem problem_;
  Equilibrium right_;
};

TEST_F(Certificate, AcceptsAnEquilibrium) {
  const Outcome outcome = judged([](Equilibrium&) {});
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_TRUE(outcome.exhaustive);
  EXPECT_EQ(outcome.checked_states, static_cast<std::int64_t>(1 + classes_up_to(problem_.T)));
  EXPECT_EQ(outcome.figures.at("c2_0"), right_.at_s0.c2);
  EXPECT_EQ(outcome.figures.at("passes"), right_.passes);
  EXPECT_EQ(outcome.figures.at("newton_iterations_mean"), 2);
}

TEST_F(Certificate, TellsWrongSumsOfAnyPeriod) {
  for (std::size_t t = 0; t <= 20; ++t) {
    for (const double factor : {1 + 1e-9, 1 - 1e-9, 2.0, -1.0, 0.0}) {
      const Outcome wealth = judged([&](Equilibrium& e) { e.wealth[t] *= factor; });
      EXPECT_FALSE(wealth.valid) << t << ", " << factor;
      EXPECT_THAT(wealth.why, HasSubstr("the sums of period " + std::to_string(t) + " are"));
      EXPECT_FALSE(judged([&](Equilibrium& e) { e.spending[t] *= factor; }).valid) << t;
    }
  }
}

TEST_F(Certificate, TellsWrongConsumption) {
  const Outcome resource = judged([](Equilibrium& e) { e.sampled[100].c1 *= 1 + 1e-9; });
  EXPECT_THAT(resource.why, HasSubstr("misses C by"));
  const Outcome conditions = judged([&](Equilibrium& e) {
    e.sampled[100].c1 += 1e-9;
    e.sampled[100].c2 -= 1e-9 * problem_.calibration.mu_1 / problem_.calibration.mu_2;
  });
  EXPECT_THAT(conditions.why, HasSubstr("the first-order conditions disagree"));
  EXPECT_FALSE(judged([](Equilibrium& e) { e.sampled[7].c2 = std::nan(""); }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.sampled[7] = {-1, -1}; }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { std::swap(e.sampled[7], e.sampled[8]); }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.at_s0.c1 *= 1 + 1e-9; }).valid);
}

TEST_F(Certificate, TellsABudgetThatDoesNotHold) {
  problem_.broyden_tolerance = 1e-3;
  solve();
  EXPECT_TRUE(judge(problem_, right_, false).valid);
  problem_.broyden_tolerance = 1e-10;
  const Outcome outcome = judge(problem_, right_, false);
  EXPECT_FALSE(outcome.valid);
  EXPECT_THAT(outcome.why, HasSubstr("type 2's budget is off by"));
}

TEST_F(Certificate, TellsWhatWasNotWritten) {
  constexpr double poison = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(judged([](Equilibrium& e) { e.converged = false; }).why, HasSubstr("not converged"));
  EXPECT_TRUE(judged([](Equilibrium& e) { e.converged = false; }).gave_up);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.wealth[3] = poison; }).gave_up);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.wealth[3] = poison; }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.spending.back() = poison; }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.at_s0 = {poison, poison}; }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.sampled[0] = {poison, poison}; }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.sampled.pop_back(); }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.wealth.pop_back(); }).valid);
  EXPECT_FALSE(judged([](Equilibrium& e) { e = {}; }).valid);
}

TEST_F(Certificate, ChecksSomePeriodsOfALongHorizonAndSaysSo) {
  problem_.T = 600;
  Equilibrium poisoned;
  poisoned.wealth.assign(601, 1);
  poisoned.spending.assign(601, 1);
  poisoned.at_s0 = {1, 1};
  poisoned.sampled.assign(sampled_histories(problem_).size(), {1, 1});
  poisoned.converged = true;
  const Outcome outcome = judge(problem_, poisoned, false);
  EXPECT_FALSE(outcome.valid);
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_GT(outcome.checked_states, 1'000'000);
}

}  // namespace
}  // namespace macrobench::beliefs
