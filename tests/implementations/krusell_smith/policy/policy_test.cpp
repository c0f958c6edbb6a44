// Policies by the two methods, and what both must agree on.

#include "implementations/krusell_smith/policy/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/policy/euler_map.hpp"

namespace macrobench::krusell_smith {
namespace {

LawOfMotion published_law() {
  return {{0.123815, 0.137800}, {0.965565, 0.963238}};
}

std::vector<double> solved(Problem problem, const char* method,
                           const LawOfMotion& law = published_law()) {
  problem.policy = method;
  std::vector<double> policy = first_policy(problem.grids);
  EXPECT_LE(make_policy_method(problem)->improve(law, policy), problem.policy_cap);
  return policy;
}

Problem small() {
  Problem problem;
  problem.grids.n_k = 20;
  return problem;
}

TEST(Policy, IsTheSameByEulerIterationAndByEndogenousGrid) {
  for (const double gamma : {1.0, 3.0}) {
    for (const auto interpolation : {PolicyInterpolation::spline, PolicyInterpolation::linear}) {
      Problem problem = small();
      problem.calibration.gamma = gamma;
      problem.policy_interpolation = interpolation;
      const std::vector<double> euler = solved(problem, "euler");

      problem.policy = "egm";
      const std::unique_ptr<PolicyMethod> egm = make_policy_method(problem);
      std::vector<double> policy = first_policy(problem.grids);
      egm->improve(published_law(), policy);
      EXPECT_FALSE(egm->is_exact()) << "under a first law a rough answer does";
      egm->improve(published_law(), policy);
      EXPECT_TRUE(egm->is_exact());
      // Both stop at a change of 1e-8 an iteration, of which many may be left.
      EXPECT_LT(largest_change(euler, policy), 1e-5) << gamma;
    }
  }
}

TEST(Policy, SettlesForLessAndThenIsNotExact) {
  for (const char* name : {"euler", "egm"}) {
    Problem problem = small();
    problem.policy = name;
    const std::unique_ptr<PolicyMethod> method = make_policy_method(problem);
    std::vector<double> policy = first_policy(problem.grids);
    method->settle_for(1e-3);
    const int roughly = method->improve(published_law(), policy);
    EXPECT_FALSE(method->is_exact()) << name;
    method->settle_for(0);
    method->improve(published_law(), policy);
    method->settle_for(problem.policy_tolerance / 10);
    method->improve(published_law(), policy);
    EXPECT_TRUE(method->is_exact()) << name << ": no more than policy_tolerance is asked for";
    policy = first_policy(problem.grids);
    EXPECT_LT(roughly, method->improve(published_law(), policy)) << name;
  }
}

TEST(Policy, RisesInWealthAndKeepsToTheGrid) {
  const Problem problem = small();
  const std::vector<double> policy = solved(problem, "euler");
  for (int line = 0; line < states * problem.grids.n_K; ++line) {
    const auto begin = policy.begin() + std::ptrdiff_t{line} * problem.grids.n_k;
    EXPECT_TRUE(std::is_sorted(begin, begin + problem.grids.n_k));
    EXPECT_GE(*begin, 0);
    EXPECT_LE(*(begin + problem.grids.n_k - 1), problem.grids.k_max);
  }
  // The unemployed without wealth borrow all they can; the employed save.
  EXPECT_EQ(policy[static_cast<std::size_t>(problem.grids.line(state_of(bad, unemployed), 1))], 0);
  EXPECT_GT(policy[static_cast<std::size_t>(problem.grids.line(state_of(good, employed), 1))], 0.5);
}

TEST(Policy, HasTheSameBitsAtAnyThreadCount) {
  for (const char* method : {"euler", "egm"}) {
    Problem problem = small();
    problem.grids.n_K = 60;  // enough nodes for five threads
    problem.policy_tolerance = 1e-1;
    const std::vector<double> reference = solved(problem, method);
    for (const int threads : {2, 5}) {
      problem.threads = threads;
      EXPECT_EQ(solved(problem, method), reference) << method << ", " << threads;
    }
  }
}

TEST(Policy, GivesUpAndSaysSo) {
  Problem problem = small();
  problem.policy_cap = 3;
  for (const char* method : {"euler", "egm"}) {
    problem.policy = method;
    std::vector<double> policy = first_policy(problem.grids);
    EXPECT_GT(make_policy_method(problem)->improve(published_law(), policy), 3) << method;
  }
  problem.policy = "newton";
  EXPECT_THROW(make_policy_method(problem), UsageError);
}

TEST(EulerMap, AsksForWhatTheEquationSaysWhereAllIsConsumedTomorrow) {
  Problem problem = small();
  problem.calibration.mu = 0;
  const Economy economy(problem.calibration);
  EulerMap map(problem);
  map.set_law(published_law());
  // k' = k'' = 0, so that 1/c = beta E[R' / y'], and the unemployed have the least of consumption.
  const std::vector<double> consume_all(problem.grids.size(), 0);
  std::vector<double> asked(problem.grids.size());
  map.apply(consume_all, asked);
  const double K = problem.grids.K(1);
  for (const int s : {0, 3}) {
    const int a = s / 2;
    const Prices today = prices(economy, a, K);
    const double K_next = problem.grids.clip_K(published_law().next(a, K));
    double expected = 0;
    for (int next = 0; next < states; ++next) {
      const Prices then = prices(economy, next / 2, K_next);
      expected += economy.P[s][next] * then.R / std::max(then.income[next % 2], 1e-10);
    }
    const int i = problem.grids.n_k - 5;
    const double k_next =
        today.R * problem.grids.k(i) + today.income[s % 2] - 1 / (economy.beta * expected);
    EXPECT_NEAR(asked[static_cast<std::size_t>(problem.grids.line(s, 1) + i)],
                problem.grids.clip_k(k_next), 1e-9);
  }
}

TEST(EulerMap, AChangeThatIsNoNumberIsTheLargest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(largest_change({0, 1, 2}, {0, -2, 4}), 3);
  EXPECT_TRUE(std::isnan(largest_change({0, 1, 2}, {0, nan, 4})));
}

TEST(Prices, AreThoseOfTheFirm) {
  const Calibration c;
  const Economy economy(c);
  // At K = lbar L the marginal products are those of one unit of each.
  const Prices p = prices(economy, good, c.lbar * 0.96);
  EXPECT_NEAR(p.R, 1 + 0.36 * 1.01 - 0.025, 1e-14);
  const double w = 0.64 * 1.01;
  EXPECT_NEAR(p.income[unemployed], 0.15 * w, 1e-14);
  EXPECT_NEAR(p.income[employed], w * (c.lbar - 0.15 * 0.04 / 0.96), 1e-14);
  // The steady state without risk, and lbar L = 1.
  const double K = std::pow((1 / c.beta - 1 + c.delta) / c.alpha, 1 / (c.alpha - 1));
  EXPECT_NEAR(K, 37.98925353815222, 1e-12);
  for (int s = 0; s < states; ++s) {
    double sum = 0;
    for (const double probability : economy.P[s]) sum += probability;
    EXPECT_NEAR(sum, 1, 1e-15) << s;
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
