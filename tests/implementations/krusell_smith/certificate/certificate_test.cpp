#include "implementations/krusell_smith/certificate/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "implementations/krusell_smith/certificate/moments.hpp"
#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/regression.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

/// An equilibrium that is right, to be spoilt.
class SpoiltEquilibrium : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    problem_ = new Problem(small_problem());
    right_ = new Equilibrium(plain_equilibrium(*problem_));
  }
  static void TearDownTestSuite() {
    delete right_;
    delete problem_;
  }

  static Outcome judged(const std::function<void(Equilibrium&)>& spoil) {
    Equilibrium spoilt = *right_;
    spoil(spoilt);
    return judge(*problem_, spoilt, false);
  }

  static inline Problem* problem_ = nullptr;
  static inline Equilibrium* right_ = nullptr;
};

TEST_F(SpoiltEquilibrium, AcceptsAnEquilibrium) {
  const Outcome outcome = judged([](Equilibrium&) {});
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_TRUE(outcome.exhaustive);
  EXPECT_EQ(outcome.checked_states, 4 * 20 * 4 + 400 * 159);
  EXPECT_EQ(outcome.iterations, right_->outer_iterations);
  EXPECT_LT(outcome.figures.at("path_error"), 1e-11);
  EXPECT_EQ(outcome.figures.at("b1_good"), right_->law.b1[good]);
  EXPECT_EQ(outcome.figures.count("euler_error_mean"), 0U) << "no fresh periods were asked for";
}

TEST_F(SpoiltEquilibrium, BelievesAStartOnlyIfPanelsBeforeLedThere) {
  Problem reused = *problem_;
  reused.reuse_tolerance = 1e-6;
  const auto notes = [](const Problem& problem) {
    const Equilibrium equilibrium = plain_equilibrium(problem);
    const Outcome outcome = judge(problem, equilibrium, false);
    EXPECT_TRUE(outcome.valid) << outcome.why;
    return outcome.notes;
  };
  EXPECT_EQ(notes(*problem_).count("first cross-section"), 0U);
  EXPECT_THAT(notes(reused).at("first cross-section"), HasSubstr("self-reported"));

  // One household of twenty owns much, from which an equilibrium follows that is another one.
  Problem wide = *problem_;
  wide.reuse_tolerance = 1;
  wide.grids.K_min = 20;
  const auto invented = [](const Problem& problem) {
    const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
    PlainPanel panel(problem, *shocks);
    for (std::size_t i = 0; i < panel.first.size(); ++i) {
      panel.first[i] = 36.7 * (i % 20 == 0 ? 8 : 12. / 19);
    }
    return plainly_solved(problem, panel, PanelKind::agents, *shocks);
  };
  const Equilibrium equilibrium = invented(wide);
  EXPECT_THAT(judge(wide, equilibrium, false).why,
              HasSubstr("does not begin with the first cross-section"));
  reused.grids = wide.grids;
  EXPECT_TRUE(judge(reused, equilibrium, false).valid);
  EXPECT_THAT(judge(reused, equilibrium, false).notes.at("first cross-section"),
              HasSubstr("self-reported"));
  reused.tolerance = 1;  // one iteration is enough
  reused.policy = "euler";
  EXPECT_THAT(judge(reused, invented(reused), false).why,
              HasSubstr("does not begin with the first cross-section"));
}

TEST_F(SpoiltEquilibrium, KnowsHowOftenTheCrossSectionMoves) {
  Problem more = *problem_;
  more.moves_last = true;
  EXPECT_THAT(judge(more, *right_, false).why, HasSubstr("wealth at the end, simulated again"));
  const Equilibrium moved = plain_equilibrium(more);
  const Outcome outcome = judge(more, moved, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_EQ(outcome.checked_states, 4 * 20 * 4 + 400 * 160);
  EXPECT_THAT(judge(*problem_, moved, false).why, HasSubstr("the path of K, simulated again"));
}

TEST_F(SpoiltEquilibrium, TellsAClippedMean) {
  const Outcome outcome = judged([](Equilibrium& e) { e.clips.K = 3; });
  EXPECT_THAT(outcome.why, HasSubstr("clipped to the grid of K, 30 to 50, in 3 periods"));
  EXPECT_THAT(outcome.why, HasSubstr("move it with --K_min and --K_max"));
  EXPECT_EQ(outcome.figures.at("clips_K"), 3);
  const Outcome right = judged([](Equilibrium&) {});
  for (const char* result : {"b0_bad", "b1_good", "R2_good", "K_mean", "wealth_mean"}) {
    EXPECT_TRUE(right.figures.contains(result)) << result;
    EXPECT_FALSE(outcome.figures.contains(result)) << result;
  }
  EXPECT_TRUE(outcome.series.empty());
  EXPECT_THAT(judged([](Equilibrium& e) {
                e.clips.K = 3;
                e.converged = false;
              }).why,
              AllOf(HasSubstr("not converged"), HasSubstr("--K_min and --K_max")));

  Problem narrow = small_problem();
  narrow.grids.K_min = 38;
  narrow.grids.K_max = 39;
  narrow.tolerance = 1;
  narrow.policy = "euler";
  const Outcome counted_by_nobody = judge(narrow, plain_equilibrium(narrow), false);
  EXPECT_FALSE(counted_by_nobody.valid) << "PlainPanel does not count its clips";
  EXPECT_THAT(counted_by_nobody.why, HasSubstr("clipped"));
}

TEST_F(SpoiltEquilibrium, TellsWhoGaveUp) {
  const auto gave_up = [](double distance) {
    return judged([=](Equilibrium& e) {
      e.converged = false;
      e.distance = distance;
    });
  };
  EXPECT_THAT(gave_up(1).why, HasSubstr("not converged: |B_new - B| ="));
  EXPECT_TRUE(gave_up(1).gave_up);
  EXPECT_THAT(gave_up(std::nan("")).why, HasSubstr("diverged"));
  EXPECT_FALSE(judged([](Equilibrium& e) { e = {}; }).valid);
}

TEST_F(SpoiltEquilibrium, ChecksSomeOfALargePanelAndSaysSo) {
  Problem large = small_problem();
  large.N = 170'000;
  large.T = 100;
  large.tolerance = 1;
  large.policy = "euler";
  large.moves_last = true;  // so that no K is the mean of the last cross-section
  const Equilibrium equilibrium = plain_equilibrium(large);
  const Outcome outcome = judge(large, equilibrium, false);
  EXPECT_THAT(outcome.why, HasSubstr("--tolerance")) << "after one iteration nothing else is wrong";
  const auto is_worse = Not(AnyOf(IsEmpty(), HasSubstr("--tolerance")));
  EXPECT_FALSE(outcome.exhaustive);
  for (const double k : {1e9, 1.001 * large.grids.k_max, -1e-3}) {
    Equilibrium rich = equilibrium;
    rich.last_wealth[17] = k;
    EXPECT_THAT(judge(large, rich, false).why, is_worse) << k;
  }
  Equilibrium late = equilibrium;
  for (double& k : late.last_wealth) k *= 1 + 1e-7;
  EXPECT_THAT(judge(large, late, false).why, is_worse);
  Equilibrium early = equilibrium;
  early.K[1] *= 1 + 1e-8;
  EXPECT_THAT(judge(large, early, false).why, is_worse);
}

TEST(MomentsOfWealth, AreThoseOfTheDrawnAgents) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> wealth(3.5, .4);
  std::vector<double> all(100'000);
  for (double& k : all) k = wealth(random);
  for (int n = 0; n < 20; ++n) {
    std::vector<int> drawn;
    for (int first = 0; first < 100'000; first += 13) {
      drawn.push_back(first + static_cast<int>(random() % 13));
    }
    drawn.back() = 99'990;
    EXPECT_LT(certificate::moments_error(all, drawn).error, certificate::standard_errors);
    // A few very rich ones whom nobody drew.
    std::vector<double> spoilt = all;
    for (std::size_t place = 0; place < 60; ++place) {
      const int other = drawn[place] == static_cast<int>(13 * place) ? 1 : 0;
      spoilt[13 * place + static_cast<std::size_t>(other)] = 1'000;
    }
    const auto [error, moment] = certificate::moments_error(spoilt, drawn);
    EXPECT_GT(error, certificate::standard_errors);
    EXPECT_EQ(certificate::name_of_moment(moment), "standard deviation");
  }
}

TEST_F(SpoiltEquilibrium, JudgesALawByWhatItSaysOnTheGridOfK) {
  // A line turned around the middle of the grid says nearly the same, although b0 and b1 move.
  const auto turned = [](double by) {
    return judged([&](Equilibrium& e) {
      e.law.b1[bad] += by;
      e.law.b0[bad] -= by * std::log(std::sqrt(30. * 50.));
    });
  };
  const double before = judged([](Equilibrium&) {}).residual;
  EXPECT_NEAR(turned(1e-3).residual, 1e-3 * std::log(std::sqrt(50. / 30.)), before + 1e-9);
  EXPECT_FALSE(turned(1e-3).valid);
  EXPECT_EQ(turned(0).allowed, problem_->tolerance * std::hypot(1, std::log(50)));
}

TEST_F(SpoiltEquilibrium, TellsAnEquilibriumOfHouseholdsThatSaveAll) {
  Problem problem = small_problem();
  problem.grids.K_min = 250;
  problem.grids.K_max = 420;
  problem.grids.n_K = 100;
  problem.reuse_tolerance = 1e-6;
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const Economy economy(problem.calibration);
  const std::vector<double> k = k_points(problem.grids);
  Equilibrium absurd;
  absurd.K.resize(static_cast<std::size_t>(problem.T));
  for (int s = 0; s < states; ++s) {
    for (const double K : K_points(problem.grids)) {
      const Prices its = prices(economy, s / 2, K);
      for (const double has : k) absurd.policy.push_back(its.R * has + its.income[s % 2] - 1e-10);
    }
  }
  PlainPanel panel(problem, *shocks);
  for (double& wealth : panel.first) wealth = 300 + wealth / 2;
  absurd.clips = panel.simulate(absurd.policy, absurd.K);
  absurd.first_wealth = panel.first;
  absurd.last_wealth = panel.last;
  absurd.K_fifth = absurd.K;
  const Regression regression = regress(*shocks, problem.burn_in, absurd.K);
  absurd.law = absurd.estimated = regression.law;
  std::ranges::copy(regression.R2, absurd.R2);
  absurd.outer_iterations = 2;
  absurd.policy_iterations = 2;
  absurd.first_policy_iterations = 1;
  absurd.converged = true;
  EXPECT_THAT(judge(problem, absurd, false).why,
              AnyOf(HasSubstr("consumption then or later is at its floor"),
                    HasSubstr("from what the Euler equation asks for")));
}

TEST_F(SpoiltEquilibrium, NamesTheToleranceThatAnEulerEquationNeeds) {
  Problem coarse = small_problem();
  coarse.stage = Stage::policy;
  coarse.policy_tolerance = 1e-3;
  const Outcome refused = judge(coarse, plain_equilibrium(coarse), false);
  EXPECT_THAT(refused.why, HasSubstr("tighten it with --policy_tolerance "));
  coarse.policy_tolerance =
      std::stod(refused.why.substr(refused.why.find("_tolerance ") + std::strlen("_tolerance ")));
  const Outcome outcome = judge(coarse, plain_equilibrium(coarse), false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_LT(outcome.residual, outcome.allowed);
}

TEST_F(SpoiltEquilibrium, TellsWealthThatPilesUpAtTheEndOfTheGrid) {
  Problem problem = small_problem();
  problem.calibration.beta = .994;
  problem.grids.n_k = 100;
  problem.grids.K_max = 70;
  problem.T = 200;
  problem.tolerance = 1e-4;
  problem.histogram_points = 150;
  problem.reuse_tolerance = 1e-6;  // the last cross-section starts the next panel, as published
  struct Grid {
    PanelKind kind;
    double k_max;
    bool is_wide;
  };
  for (const auto& [kind, k_max, is_wide] : {Grid{PanelKind::histogram, 71.9, false},
                                             {PanelKind::histogram, 150, false},
                                             {PanelKind::histogram, 300, true},
                                             {PanelKind::histogram, 1000, true},
                                             {PanelKind::agents, 150, false},
                                             {PanelKind::agents, 1000, true}}) {
    problem.grids.k_max = k_max;
    Equilibrium equilibrium = plain_equilibrium(problem, kind);
    const Outcome outcome = judge(problem, equilibrium, false);
    EXPECT_EQ(outcome.valid, is_wide) << k_max << ' ' << outcome.why;
    EXPECT_EQ(outcome.notes.count("wealth at k_max"), is_wide ? 0U : 1U) << k_max;
    if (is_wide) continue;
    EXPECT_THAT(outcome.why, AllOf(HasSubstr("wealth piles up at k_max"),
                                   HasSubstr("(--reuse_tolerance 1), or widen it with --k_max")));
    const Outcome marked = judge(problem, equilibrium, Scrutiny(false).of(Origin::published));
    EXPECT_TRUE(marked.valid) << marked.why;
    EXPECT_THAT(marked.notes.at("wealth at k_max"), HasSubstr("--k_max"));
  }
}

/// Carries all agents through K, whatever their mean then is.
void follow(const Problem& problem, Equilibrium& e) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  e.last_wealth = e.first_wealth;
  for (int i = 0; i < problem.N; ++i) {
    double& k = e.last_wealth[static_cast<std::size_t>(i)];
    for (int t = 0; t + 1 < problem.T; ++t) {
      k = plain_choice(problem.grids, e.kind, e.policy, 2 * shocks->a(t) + shocks->employment(i, t),
                       k, e.K[static_cast<std::size_t>(t)]);
    }
  }
  e.K.back() = std::accumulate(e.last_wealth.begin(), e.last_wealth.end(), 0.0) / problem.N;
}

TEST_F(SpoiltEquilibrium, TellsAPathThatWasMadeUpWhereNotAllAgentsAreFollowed) {
  Problem large = small_problem();
  large.stage = Stage::panel;
  large.N = 170'000;
  large.T = 100;
  const Equilibrium right = plain_equilibrium(large);
  const Outcome outcome = judge(large, right, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_GT(outcome.figures.at("sample_error"), 0);
  EXPECT_LT(outcome.figures.at("path_error"), 1e-11);
  Equilibrium made_up = right;
  for (int t = 60; t < large.T; ++t) made_up.K[static_cast<std::size_t>(t)] *= 1 + 1e-3 * (t - 59);
  follow(large, made_up);
  made_up.K_fifth = made_up.K;
  EXPECT_THAT(judge(large, made_up, false).why,
              HasSubstr("simulated again with a sample of the agents, differs by"));
  EXPECT_THAT(judge(large, made_up, true).why,
              HasSubstr("the path of K, simulated again, differs"));
}

TEST_F(SpoiltEquilibrium, MeasuresErrorsOnAFreshSimulation) {
  Problem problem = *problem_;
  problem.accuracy_periods = 300;
  const Outcome outcome = judge(problem, *right_, false);
  EXPECT_GT(outcome.figures.at("euler_error_mean"), 0);
  EXPECT_LT(outcome.figures.at("euler_error_mean"), outcome.figures.at("euler_error_max"));
  EXPECT_GT(outcome.figures.at("law_error_mean"), 0);
  EXPECT_LT(outcome.figures.at("law_error_mean"), outcome.figures.at("law_error_max"));
  EXPECT_LT(outcome.figures.at("law_error_max"), 0.1) << "400 agents leave noise in the law";
}

}  // namespace
}  // namespace macrobench::krusell_smith
