#include "implementations/beliefs/certificate.hpp"

#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "implementations/beliefs/solve_node.hpp"
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
      const std::vector<ReferencePeriod> sums = reference_sums(problem, at_s0);
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

  [[nodiscard]] Consumption at_c2(double c2) const {
    return Economy(problem_.calibration).at_s0(c2);
  }

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

TEST_F(Certificate, TellsABudgetThatDoesNotHold) {
  problem_.broyden_tolerance = 1e-6;
  solve();
  EXPECT_TRUE(judge(problem_, right_, false).valid);
  problem_.broyden_tolerance = 1e-10;
  right_ = plain_equilibrium_at(problem_, at_c2(right_.at_s0.c2 * (1 + 1e-8)));
  const Outcome outcome = judge(problem_, right_, false);
  EXPECT_FALSE(outcome.valid);
  EXPECT_THAT(outcome.why, HasSubstr("type 2's budget is off by"));
}

TEST_F(Certificate, TellsWhoGaveUpFromWhatWasNotWritten) {
  EXPECT_THAT(judged([](Equilibrium& e) { e.converged = false; }).why, HasSubstr("not converged"));
  EXPECT_TRUE(judged([](Equilibrium& e) { e.converged = false; }).gave_up);
  EXPECT_FALSE(judged([](Equilibrium& e) { e.wealth[3] = std::nan(""); }).gave_up);
  EXPECT_FALSE(judged([](Equilibrium& e) { e = {}; }).valid);
}

TEST_F(Certificate, BelievesNoSumsOfALongHorizon) {
  problem_.T = 480;
  problem_.calibration.gamma_2 = 2;
  right_ = plain_equilibrium_at(problem_, at_c2(1.2));  // for 1.042
  double residual = 0;
  for (std::size_t t = 0; t <= 480; ++t) residual += right_.wealth[t] - right_.spending[t];
  right_.spending[2] += residual;  // so that its own sums meet the budget
  const Outcome outcome = judge(problem_, right_, false);
  EXPECT_TRUE(outcome.exhaustive);
  EXPECT_EQ(outcome.checked_states, static_cast<std::int64_t>(1 + classes_up_to(480)));
  EXPECT_THAT(outcome.why, HasSubstr("the sums of period 2 are off"));
  EXPECT_GT(outcome.residual, 1e-3) << "and the budget is off by the certificate's sums";
}

/// As the programs that solve each node of the tree.
Equilibrium by_tree(const Problem& problem) {
  const Economy economy(problem.calibration);
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  Equilibrium found;
  found.wealth.resize(periods);
  found.spending.resize(periods);
  found.nodes = nodes_of_tree(problem.T);
  StageClock clock;
  find_equilibrium(problem, clock, found, [&](const Consumption& at_s0, Equilibrium& result) {
    const SolveNode solve_node(problem, economy, at_s0);
    for (int t = 1; t <= problem.T; ++t) {
      numerics::CompensatedSum wealth;
      numerics::CompensatedSum spending;
      for (std::int64_t i = 0; i < nodes_in_period(t); ++i) {
        const SolvedNode node = solve_node(t, i);
        wealth.add(node.q * node.C);
        spending.add(node.q * node.c2);
        result.newton_iterations += node.newton_iterations;
      }
      result.wealth[static_cast<std::size_t>(t)] = wealth.value();
      result.spending[static_cast<std::size_t>(t)] = spending.value();
    }
  });
  const SolveNode solve_node(problem, economy, found.at_s0);
  for (const Transitions& history : sampled_histories(problem)) {
    const SolvedNode node = solve_node(history);
    found.sampled.push_back({node.c1, node.c2});
  }
  return found;
}

TEST(Tolerances, OfTheUsersMakeNothingWrongValid) {
  Problem problem;
  problem.calibration.gamma_1 = 50;
  problem.calibration.gamma_2 = 0.5;
  problem.newton_tolerance = 1e-2;
  const Equilibrium wrong = by_tree(problem);
  EXPECT_TRUE(wrong.converged);
  const Outcome refused = judge(problem, wrong, true);
  EXPECT_FALSE(refused.valid);
  EXPECT_GT(refused.residual, 0.5) << "of wealth";
  EXPECT_LT(refused.allowed, 2e-6);
  EXPECT_THAT(refused.why, HasSubstr(": --newton_tolerance 1e-09"));
  problem.newton_tolerance = 1e-9;
  EXPECT_TRUE(judge(problem, by_tree(problem), true).valid);

  problem = {};
  problem.calibration.gamma_2 = 3;
  problem.broyden_tolerance = 0.1;
  const Outcome rough = judge(problem, by_tree(problem), true);
  EXPECT_THAT(rough.why, HasSubstr("type 2's budget is off by"));
  EXPECT_THAT(rough.why, HasSubstr(": --broyden_tolerance 5e-07"));
  problem.broyden_tolerance = 5e-7;
  EXPECT_TRUE(judge(problem, by_tree(problem), true).valid);
}

TEST(Tolerances, AreSharesOfThePoorerTypesWealth) {
  Problem problem;
  Calibration& c = problem.calibration;
  c.mu_1 = 1e-6;
  c.mu_2 = 1 - c.mu_1;
  c.gamma_2 = 3;
  problem.broyden_tolerance = 5e-13;
  problem.newton_tolerance = 1e-15;
  const Equilibrium right = by_tree(problem);
  EXPECT_TRUE(judge(problem, right, true).valid) << judge(problem, right, true).why;

  // Type 2's budget is met to 1.2e-10 of wealth, and type 1's to 1.2e-4.
  problem.broyden_tolerance = Problem{}.broyden_tolerance;
  problem.newton_tolerance = Problem{}.newton_tolerance;
  const Consumption poor{right.at_s0.c1 + 1.2e-4, right.at_s0.c2 - 1.2e-4 * c.mu_1 / c.mu_2};
  const Outcome refused = judge(problem, plain_equilibrium_at(problem, poor), true);
  EXPECT_LT(refused.residual, 1.4e-10);
  EXPECT_THAT(refused.why, HasSubstr("type 2's budget is off by"));
  EXPECT_THAT(refused.why, HasSubstr(": --broyden_tolerance 5e-13"));

  const Consumption off{right.at_s0.c1 * (1 + 1e-4), right.at_s0.c2};
  EXPECT_THAT(judge(problem, plain_equilibrium_at(problem, off), true).why,
              HasSubstr("mu_1 c1 + mu_2 c2 misses C by 1.00e-04 at s_0"));
}

TEST(Tolerances, RefuseATypeTooSmallForRounding) {
  Problem problem;
  problem.calibration.mu_1 = 1e-9;
  problem.calibration.mu_2 = 1 - 1e-9;
  const Outcome outcome = judge(problem, by_tree(problem), true);
  EXPECT_FALSE(outcome.valid);
  EXPECT_THAT(outcome.why, HasSubstr(": --mu_1 above 1e-7"));
  std::swap(problem.calibration.mu_1, problem.calibration.mu_2);
  EXPECT_TRUE(judge(problem, by_tree(problem), true).valid);
}

TEST(Tolerances, HaveNoUnits) {
  for (const double C0 : {1e-12, 1e12}) {
    Problem problem;
    problem.calibration.gamma_2 = 2;
    problem.calibration.C0 = C0;
    EXPECT_TRUE(judge(problem, by_tree(problem), true).valid);
    const Consumption off = Economy(problem.calibration).at_s0(1.01 * C0);
    EXPECT_FALSE(judge(problem, plain_equilibrium_at(problem, off), true).valid);
  }
}

TEST(Tolerances, AreNotWidenedByWhatASolverSaysOfItself) {
  Problem problem;
  problem.calibration.gamma_2 = 3;
  const Equilibrium right = plain_equilibrium(problem);
  const Consumption off = Economy(problem.calibration).at_s0(right.at_s0.c2 * (1 + 1e-8));
  for (const int passes : {1, 50, problem.pass_cap}) {
    for (const double residual : {0.0, 1.0}) {
      Equilibrium wrong = plain_equilibrium_at(problem, off);
      wrong.passes = passes;
      wrong.residual = residual;
      wrong.newton_iterations = 1'000'000'000;
      const Outcome outcome = judge(problem, wrong, true);
      EXPECT_FALSE(outcome.valid);
      EXPECT_EQ(outcome.allowed, judge(problem, right, true).allowed);
    }
  }
}

}  // namespace
}  // namespace macrobench::beliefs
