#include "implementations/rbc/certificate.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "implementations/rbc/bellman.hpp"
#include "tests/matchers.hpp"

namespace macrobench::rbc {
namespace {

Problem small_problem(int nk, Maximizer maximizer = Maximizer::bisection) {
  Problem problem;
  problem.nk = nk;
  problem.maximizer = maximizer;
  return problem;
}

/// Every choice, one by one: what Bellman must agree with.
double brute_force(const Bellman& bellman, int i, int j) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::int32_t m = 0; m <= bellman.last_feasible(i, j); ++m) {
    best = std::max(best, bellman.value(i, j, m));
  }
  return best;
}

TEST(Bellman, PassesOverNothingThatIsBest) {
  std::mt19937_64 random(7);
  for (const Maximizer maximizer : {Maximizer::bisection, Maximizer::interpolated}) {
    for (const double gamma : {0.0, 0.5, 1.0, 2.0, 7.0}) {
      Problem problem = small_problem(157, maximizer);
      problem.calibration.gamma = gamma;
      problem.calibration.grid_low = 0.3;
      problem.calibration.grid_high = 4;
      problem.calibration.delta = 0.9;  // the feasible set binds
      Bellman bellman(problem);
      // Rough values, neither concave nor monotone.
      std::vector<double> V(problem.states());
      std::uniform_real_distribution<double> rough(-20, -19);
      for (double& v : V) v = rough(random);
      bellman.set_value(V);
      for (int j = 0; j < problem.nz; ++j) {
        for (int i = 0; i < problem.nk; ++i) {
          const Bellman::Best best = bellman.maximise(i, j, i);
          EXPECT_EQ(best.value, brute_force(bellman, i, j)) << i << ", " << j;
          EXPECT_EQ(bellman.value(i, j, best.choice), best.value);
        }
      }
    }
  }
}

TEST(Bellman, TiesGoLow) {
  Problem problem = small_problem(50);
  problem.calibration.gamma = 0;  // u(c) = c, so that ties can be made exactly
  Bellman bellman(problem);
  std::vector<double> V(problem.states());
  const double beta = problem.calibration.beta;
  for (std::size_t s = 0; s < V.size(); ++s) {
    V[s] = bellman.grids().K[s % 50] / beta;  // every choice is worth the same except for rounding
  }
  bellman.set_value(V);
  const Bellman::Best best = bellman.maximise(25, 1, 40);
  std::int32_t lowest = 0;
  while (bellman.value(25, 1, lowest) < best.value) ++lowest;
  EXPECT_EQ(best.choice, lowest);
}

class Certificate : public ::testing::Test {
 protected:
  Problem problem_ = small_problem(64);
  Solution<double> solution_ = reference_solution(problem_);

  Outcome outcome() { return judge(problem_, solution_, false); }
};

TEST_F(Certificate, AcceptsTheReference) {
  const Outcome good = outcome();
  EXPECT_TRUE(good.valid) << good.why;
  EXPECT_TRUE(good.exhaustive);
  EXPECT_EQ(good.checked_states, 256);
  EXPECT_LT(good.residual, 1e-12);
  EXPECT_EQ(good.figures.at("value_error"), 0);
}

TEST_F(Certificate, BelievesNobodyWhoDidNotConverge) {
  EXPECT_FALSE(outcome().gave_up);
  solution_.converged = false;
  solution_.difference = 0.25;
  EXPECT_THAT(outcome().why, StartsWith("not converged: |V - V0| = 2.50e-01 after "));
  EXPECT_TRUE(outcome().gave_up);
  solution_.difference = 0;
  solution_.iterations = 1;
  EXPECT_EQ(outcome().why, "not converged: it gave up after 1 iteration, before it compared two V");
}

TEST(CertificateSample, LooksAtBothEndsTheKinkAndTheInterior) {
  // A grid so large that only a sample is checked, and a V that is off in one place at a time.
  Problem problem = small_problem(1 << 17);
  problem.tolerance = 1;  // only the planted errors count
  const Bellman bellman(problem);
  Solution<double> solution;
  solution.V.assign(problem.states(), -18.0);
  solution.policy.assign(problem.states(), 0);
  solution.converged = true;
  const auto residual_with = [&](std::size_t first, std::size_t last) {
    Solution<double> wrong = solution;
    std::fill(wrong.V.begin() + static_cast<std::ptrdiff_t>(first),
              wrong.V.begin() + static_cast<std::ptrdiff_t>(last), -1e6);
    return judge(problem, wrong, false);
  };
  const std::size_t nk = static_cast<std::size_t>(problem.nk);
  EXPECT_FALSE(judge(problem, solution, false).exhaustive);
  EXPECT_GT(judge(problem, solution, false).checked_states, 60'000);
  EXPECT_FALSE(residual_with(0, 1).valid);                 // the first state
  EXPECT_FALSE(residual_with(4 * nk - 1, 4 * nk).valid);   // the last
  EXPECT_FALSE(residual_with(nk / 2, nk / 2 + 60).valid);  // 60 of the interior's states
}

/// More states than are all checked, and a household that is soon told what to do: it has more
/// capital than pays, and consumes all it can at once.
Problem large_problem() {
  Problem problem = small_problem((1 << 16) + 1);
  problem.calibration.beta = 0.05;
  problem.calibration.gamma = 0;
  problem.calibration.grid_low = 2;
  problem.calibration.grid_high = 4;
  return problem;
}

Solution<double> large_solution(const Problem& problem) {
  Bellman bellman(problem);
  Solution<double> solution;
  solution.V.assign(problem.states(), 0.0);
  solution.policy.assign(problem.states(), 0);
  solution.iterations = 10;
  solution.converged = true;
  for (int step = 0; step < solution.iterations; ++step) {
    bellman.set_value(solution.V);
    for (int j = 0; j < problem.nz; ++j) {
      std::int32_t guess = 0;
      for (int i = 0; i < problem.nk; ++i) {
        const auto s = static_cast<std::size_t>(j) * static_cast<std::size_t>(problem.nk) +
                       static_cast<std::size_t>(i);
        const Bellman::Best best = bellman.maximise(i, j, guess);
        solution.V[s] = best.value;
        solution.policy[s] = guess = best.choice;
      }
    }
  }
  return solution;
}

TEST(CertificateSample, IsOfStatesThatNoProgramKnows) {
  const Problem problem = large_problem();
  Solution<double> solution = large_solution(problem);
  const Outcome right = judge(problem, solution, false);
  EXPECT_TRUE(right.valid) << right.why;
  EXPECT_FALSE(right.exhaustive);
  // A few wrong states within are seen by some draws and not by others, and by all in full.
  for (std::size_t s = 30'000; s < 30'004; ++s) solution.V[s] *= 1.0001;
  int seen = 0;
  constexpr int draws = 8;
  for (int n = 0; n < draws; ++n) {
    const std::string draw(32, static_cast<char>('a' + n));
    if (!judge(problem, solution, Scrutiny(false, draw)).valid) ++seen;
  }
  EXPECT_GT(seen, 0);
  EXPECT_LT(seen, draws);
  EXPECT_FALSE(judge(problem, solution, true).valid);
}

TEST(CertificateSample, SeesAnOutlierWhereNobodyLooks) {
  const Problem problem = large_problem();
  const Solution<double> right = large_solution(problem);
  for (const double outlier : {-1e300, -1e3, 0.0, 1e300}) {
    Solution<double> solution = right;
    solution.V[30'000] = outlier;
    const Outcome outcome = judge(problem, solution, Scrutiny(false, std::string(32, 'c')));
    EXPECT_THAT(outcome.why, HasSubstr(" at K[30000], Z[0], where ")) << outlier;
    EXPECT_THAT(outcome.why, StartsWith("V is ")) << outlier;
  }
}

/// The same V and the lowest choice everywhere.
Outcome judge_nothing_solved(const Problem& problem, double V = 0) {
  Solution<double> nothing;
  nothing.V.assign(problem.states(), V);
  nothing.policy.assign(problem.states(), 0);
  nothing.iterations = 1;
  nothing.converged = true;
  return judge(problem, nothing, true);
}

TEST(CertificateUnits, NothingSolvedIsNoSolution) {
  for (const double gamma : {2.0, 8.0, 20.0, 60.0, 100.0}) {
    Problem problem = small_problem(64);
    problem.calibration.gamma = gamma;
    const Outcome outcome = judge_nothing_solved(problem);
    EXPECT_FALSE(outcome.valid) << gamma;
    EXPECT_THAT(outcome.why, StartsWith("V is 0 at K[0], Z[0], where no policy is worth more than"))
        << gamma;
  }
}

TEST(CertificateUnits, TheReasonNamesTheToleranceThatWouldDo) {
  Problem problem = small_problem(64);
  problem.calibration.gamma = 20;
  EXPECT_THAT(judge_nothing_solved(problem).why, HasSubstr(" consumption: --tolerance "));
  // Nor is a solution that stops at that tolerance any better.
  Solution<double> solution = reference_solution(problem);
  for (double& v : solution.V) v += problem.tolerance;
  EXPECT_THAT(judge(problem, solution, true).why, HasSubstr(" consumption: --tolerance "));
  EXPECT_TRUE(judge(problem, reference_solution(problem), true).valid);
}

TEST(CertificateUnits, OnePoorStatePaysForNoOther) {
  Problem problem = small_problem(64);
  problem.calibration.gamma = 20;
  problem.calibration.grid_low = 0.001;
  problem.tolerance = 1e-30;
  Solution<double> solution = reference_solution(problem);
  EXPECT_TRUE(judge(problem, solution, true).valid) << judge(problem, solution, true).why;
  for (std::size_t s = 32; s < 64; ++s) solution.policy[s] = 0;
  EXPECT_THAT(judge(problem, solution, true).why, HasSubstr("the policy at K["));
}

TEST(CertificateUnits, NoSolutionIsBelievedWhereRoundingIsMoreThanAChoice) {
  Problem near_log = small_problem(64);
  near_log.calibration.gamma = 1.00000000000001;
  Problem patient = small_problem(16);
  patient.calibration.beta = 0.9999999999999999;
  const double all_alike =
      utility(1.0, near_log.calibration.gamma) / (1 - near_log.calibration.beta);
  EXPECT_THAT(judge_nothing_solved(near_log, all_alike).why, StartsWith("ill-conditioned"));
  EXPECT_THAT(judge_nothing_solved(patient, -1.1e15).why, StartsWith("ill-conditioned"));
  EXPECT_THAT(judge_nothing_solved(patient, -1.7e24).why,
              HasSubstr(", where the best policy is worth "));
}

TEST(Reference, SolvesLogUtilityWithFullDepreciationInClosedForm) {
  // Brock and Mirman: K' = alpha beta Z K^alpha. On a grid the policy is within half a step of it.
  Problem problem = small_problem(400);
  problem.calibration.gamma = 1;
  problem.calibration.delta = 1;
  problem.calibration.grid_low = 0.8;
  problem.calibration.grid_high = 1.25;
  const Solution<double> reference = reference_solution(problem);
  ASSERT_TRUE(reference.converged);
  const Grids<double> grids = make_grids<double>(problem);
  const double step = grids.K[1] - grids.K[0];
  const Calibration& c = problem.calibration;
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 400; ++i) {
      const double exact = c.alpha * c.beta * grids.Z[j] * std::pow(grids.K[i], c.alpha);
      if (exact < grids.K.front() + 2 * step || exact > grids.K.back() - 2 * step) continue;
      const double chosen = grids.K[static_cast<std::size_t>(reference.policy[j * 400 + i])];
      EXPECT_NEAR(chosen, exact, 1.01 * step);
    }
  }
}

}  // namespace
}  // namespace macrobench::rbc
