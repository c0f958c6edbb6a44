// A batch of economies: each is the equilibrium of one calibration, judged as such.

#include "implementations/krusell_smith/input/economies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "harness/model/solution_file.hpp"
#include "harness/text/error.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "tests/implementations/every_implementation.hpp"

namespace macrobench::krusell_smith {

// Found by argument-dependent lookup where a model is registered.
void fill_with_poison(const Problem& problem, Equilibrium& equilibrium);
std::uint64_t hash_of(const Equilibrium& equilibrium);

namespace {

using ::testing::HasSubstr;

Parameters batch(std::int64_t economies, std::int64_t threads = 1) {
  return {{"N", std::int64_t{500}},
          {"T", std::int64_t{200}},
          {"nk", std::int64_t{40}},
          {"policy", "egm"},
          {"accuracy_periods", std::int64_t{0}},
          {"law_update", "quasi_newton"},
          {"panel_interpolation", "linear"},
          {"policy_interpolation", "linear"},
          {"economies", economies},
          {"threads", threads}};
}

Case case_of(const Parameters& given) {
  return Registry::global().make_case("krusell_smith/frontier", given, 8);
}

TEST(KrusellSmithEconomies, TheFirstIsThePapersOwnAndTheOthersAreAroundIt) {
  Problem problem;
  problem.economies = 300;
  const Calibration own;
  EXPECT_EQ(economy_of(problem, 0).calibration, own);
  EXPECT_EQ(economy_of(problem, 0).grids, problem.grids);
  for (int e = 1; e < problem.economies; ++e) {
    const Problem one = economy_of(problem, e);
    const Calibration& c = one.calibration;
    EXPECT_NEAR((1 - c.beta) / (1 - own.beta), 1, .1);
    EXPECT_NEAR(c.alpha / own.alpha, 1, .02);
    EXPECT_NEAR(c.delta / own.delta, 1, .05);
    EXPECT_NEAR(c.mu / own.mu, 1, .3);
    EXPECT_EQ(c.gamma, own.gamma);
    EXPECT_EQ(c.P, own.P);
    EXPECT_NE(c.beta, own.beta);
    EXPECT_NEAR(one.grids.K_max / problem.grids.K_max, 1, .2);
    EXPECT_NEAR(one.grids.K_max / one.grids.K_min, 5. / 3, 1e-12);
  }
}

TEST(KrusellSmithEconomies, GiveTheSameBitsOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const std::int64_t threads : {1, 3}) {
    std::uint64_t bits = 0;
    const Outcome outcome = macrobench::solve(case_of(batch(5, threads)), &bits);
    EXPECT_TRUE(outcome.valid) << outcome.why;
    EXPECT_TRUE(outcome.exhaustive);
    if (threads == 1) first = bits;
    EXPECT_EQ(bits, first);
  }
}

TEST(KrusellSmithEconomies, TheFirstIsWhatItIsAlone) {
  const Outcome together = macrobench::solve(case_of(batch(3)));
  const Outcome alone = macrobench::solve(case_of(batch(1)));
  for (const char* name : {"b0_bad", "b1_good", "K_mean", "wealth_sd"}) {
    EXPECT_EQ(together.figures.at(name), alone.figures.at(name)) << name;
  }
}

TEST(KrusellSmithEconomies, TheCertificateNamesTheEconomyThatIsWrong) {
  // Twelve economies, of which eight are judged with their panels.
  const Case which = case_of(batch(12, 2));
  Problem problem;
  problem.N = 500;
  problem.T = 200;
  problem.grids.n_k = 40;
  problem.accuracy_periods = 0;
  problem.policy = "egm";
  problem.law_update = LawUpdate::quasi_newton;
  problem.panel_interpolation = PanelInterpolation::linear;
  problem.policy_interpolation = PolicyInterpolation::linear;
  problem.economies = 12;
  Equilibrium right;
  fill_with_poison(problem, right);
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  NoStages none;
  instance->solve(none);
  const std::string stored = instance->stored("key");
  SolutionReader reader(stored, "key");
  Equilibrium::each_part(right, reader);
  reader.finish();
  EXPECT_EQ(hash_of(right), instance->fingerprint());

  const Outcome outcome = judge(problem, right, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.figures.at("economies_in_full"), 8);
  const auto why = [&](const std::function<void(Equilibrium&)>& spoil) {
    Equilibrium wrong = right;
    spoil(wrong);
    const Outcome judged = judge(problem, wrong, false);
    EXPECT_FALSE(judged.valid);
    return judged.why;
  };
  const numerics::KeptInFull in_full = judged_in_full(problem);
  for (const int e : {0, 5, 6}) {
    const std::string name = "economy " + std::to_string(e) + " (beta = ";
    const auto at = static_cast<std::size_t>(e);
    EXPECT_THAT(why([&](auto& s) { s.economies[at].policy[333] *= 1.001; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].K[150] *= 1.0001; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].law.b1[good] += 1e-4; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].converged = false; }), HasSubstr(name));
    if (in_full.place(e) < 0) continue;
    EXPECT_THAT(why([&](auto& s) { s.economies[at].last_wealth[44] += 1; }), HasSubstr(name));
  }
  EXPECT_THAT(why([&](auto& s) { std::swap(s.economies[2], s.economies[3]); }),
              HasSubstr("economy 2 ("));
  EXPECT_THAT(why([&](auto& s) { s.economies.pop_back(); }), HasSubstr("has 11 economies"));
}

TEST(KrusellSmithEconomies, WhatABatchCannotBeIsRefused) {
  const auto refusal = [](const Parameters& given) -> std::string {
    try {
      static_cast<void>(case_of(given));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(batch(1'200)), "");
  EXPECT_THAT(refusal(with(batch(10), "stage", "panel")), HasSubstr("stage = all"));
  EXPECT_THAT(refusal(with(batch(1'000), "N", std::int64_t{1'000'000})), HasSubstr("take fewer"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
