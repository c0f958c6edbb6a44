// The certificates of a stage run alone.

#include <limits>
#include <string>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

/// A stage's solution that is right, to be spoilt.
class CertificateOfAStage : public ::testing::Test {
 protected:
  static Problem alone(Stage stage) {
    Problem problem = small_problem();
    problem.stage = stage;
    return problem;
  }

  template <class Spoil>
  static std::string why_not(const Problem& problem, Equilibrium equilibrium, const Spoil& spoil) {
    spoil(equilibrium);
    const Outcome outcome = judge(problem, equilibrium, false);
    EXPECT_EQ(outcome.valid, outcome.why.empty());
    return outcome.why;
  }
};

constexpr double poison = std::numeric_limits<double>::quiet_NaN();

TEST_F(CertificateOfAStage, TellsAWrongPolicy) {
  const Problem problem = alone(Stage::policy);
  const Equilibrium equilibrium = plain_equilibrium(problem);
  const auto why = [&](const auto& spoil) { return why_not(problem, equilibrium, spoil); };
  EXPECT_EQ(why([](Equilibrium&) {}), "");
  for (std::size_t i = 0; i < equilibrium.policy.size(); i += 37) {
    const double by = equilibrium.policy[i] < problem.grids.k_max ? 1e-6 : -1e-6;
    EXPECT_THAT(why([&](Equilibrium& e) { e.policy[i] += by; }),
                HasSubstr("from what the Euler equation asks for"));
  }
  EXPECT_THAT(why([](Equilibrium& e) { e.law.b1[bad] += 1e-9; }),
              HasSubstr("not solved under the stored law"));
  EXPECT_THAT(why([](Equilibrium& e) { e.policy[7] = poison; }), HasSubstr("policy[7] is nan"));
  EXPECT_THAT(why([](Equilibrium& e) { e.policy.pop_back(); }), HasSubstr("not written in full"));
  EXPECT_THAT(why([](Equilibrium& e) { e.converged = false; }), HasSubstr("not converged"));

  Problem capped = problem;
  capped.policy_cap = 2;
  const Outcome unfinished = judge(capped, plain_equilibrium(capped), false);
  EXPECT_THAT(unfinished.why, HasSubstr("not converged: no policy after"));
  EXPECT_TRUE(unfinished.gave_up);
}

TEST_F(CertificateOfAStage, TellsAWrongPanel) {
  const Problem problem = alone(Stage::panel);
  const Equilibrium equilibrium = plain_equilibrium(problem);
  const auto why = [&](const auto& spoil) { return why_not(problem, equilibrium, spoil); };
  EXPECT_EQ(why([](Equilibrium&) {}), "");
  for (const std::size_t t : {0U, 1U, 100U, 159U}) {
    EXPECT_THAT(why([&](Equilibrium& e) { e.K[t] *= 1 + 1e-8; }), HasSubstr("simulated again"));
    EXPECT_THAT(why([&](Equilibrium& e) { e.K[t] = poison; }),
                HasSubstr("K[" + std::to_string(t) + "] is nan"));
  }
  EXPECT_THAT(why([](Equilibrium& e) { e.last_wealth[3] += 1e-6; }), HasSubstr("simulated again"));
  EXPECT_THAT(why([](Equilibrium& e) { e.first_wealth[3] += 1e-9; }),
              HasSubstr("does not begin with the first cross-section"));
  EXPECT_THAT(why([](Equilibrium& e) { e.policy[3] += 1e-9; }),
              HasSubstr("under the stored policy, from policy[3] on"));
  EXPECT_THAT(why([](Equilibrium& e) { e.clips.K = 2; }), HasSubstr("clipped to the grid of K"));
  EXPECT_THAT(why([](Equilibrium& e) { e.last_wealth.clear(); }), HasSubstr("not written in full"));
}

TEST_F(CertificateOfAStage, TellsAWrongPanelByASampleOfItsAgents) {
  constexpr int in_group = 128;
  Problem whole = alone(Stage::panel);
  whole.N = 70 * in_group;
  const Equilibrium of_whole = plain_equilibrium(whole);
  Problem sample = whole;
  sample.N = 10 * in_group;
  sample.group_stride = 7;
  Equilibrium equilibrium = of_whole;
  for (auto wealth : {&Equilibrium::first_wealth, &Equilibrium::last_wealth}) {
    (equilibrium.*wealth).clear();
    for (int i = 0; i < sample.N; ++i) {
      const int agent = i / in_group * in_group * sample.group_stride + i % in_group;
      (equilibrium.*wealth).push_back((of_whole.*wealth)[static_cast<std::size_t>(agent)]);
    }
  }
  const Outcome outcome = judge(sample, equilibrium, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.checked_states, std::int64_t{sample.N} * (sample.T - 1));
  // Five standard errors: wealth differs by some tens of percent among the agents.
  EXPECT_GT(outcome.residual, 1e-9);
  EXPECT_LT(outcome.allowed, 0.1);
  EXPECT_GT(outcome.allowed, 0.001);

  const auto why = [&](const auto& spoil) { return why_not(sample, equilibrium, spoil); };
  for (const std::size_t n : {0U, 700U, 1279U}) {
    EXPECT_THAT(why([&](Equilibrium& e) { e.last_wealth[n] += 1e-6; }), HasSubstr("for agent"));
    EXPECT_THAT(why([&](Equilibrium& e) { e.first_wealth[n] += 1e-6; }),
                HasSubstr("does not begin with the first cross-section"));
  }
  // A wrong K moves every household of the sample, whose wealth at the end is then another.
  EXPECT_THAT(why([](Equilibrium& e) { e.K[100] *= 1.001; }), HasSubstr("for agent"));
  // What K is, in the last period, no choice depends on.
  EXPECT_THAT(why([](Equilibrium& e) { e.K[159] *= 1.1; }),
              HasSubstr("simulated again with a sample of the agents, differs by"));
}

TEST_F(CertificateOfAStage, LetsNoPanelBeginWithAPolicyThatDidNotConverge) {
  Problem problem = alone(Stage::panel);
  problem.policy_cap = 3;
  EXPECT_THROW(start_panel(problem), Failure);
}

}  // namespace
}  // namespace macrobench::krusell_smith
