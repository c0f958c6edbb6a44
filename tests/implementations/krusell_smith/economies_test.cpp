// A batch of economies: each is the equilibrium of one calibration, judged as such.

#include "implementations/krusell_smith/input/economies.hpp"

#include <functional>
#include <memory>
#include <string>

#include "harness/model/solution_file.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

Parameters batch(std::int64_t economies, std::int64_t threads = 1) {
  return {{"N", 500},
          {"T", 200},
          {"nk", 40},
          {"policy", "egm"},
          {"accuracy_periods", 0},
          {"law_update", "quasi_newton"},
          {"reuse_tolerance", 1e-6},
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
  std::string first;
  for (const std::int64_t threads : {1, 3}) {
    std::string bits;
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
  problem.moves_last = true;
  problem.policy_interpolation = PolicyInterpolation::linear;
  problem.economies = 12;
  Equilibrium right;
  fill_with_poison(problem, right);
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  NoStages none;
  instance->solve(none);
  restore(problem, right, instance->stored("key"), "key");
  EXPECT_EQ(sha256_of(problem, right), instance->fingerprint());

  const Outcome outcome = judge(problem, right, false);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.figures.at("economies_in_full"), 8);
  const auto why = [&](const std::function<void(Equilibrium&)>& spoil, bool thorough = false) {
    Equilibrium wrong = right;
    spoil(wrong);
    const Outcome judged = judge(problem, wrong, thorough);
    EXPECT_FALSE(judged.valid);
    return judged.why;
  };
  for (const int e : {0, 5, 6}) {
    const std::string name = "economy " + std::to_string(e) + " (beta = ";
    const auto at = static_cast<std::size_t>(e);
    EXPECT_THAT(why([&](auto& s) { s.economies[at].policy[333] *= 1.001; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].K[150] *= 1.0001; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].law.b1[good] += 1e-4; }), HasSubstr(name));
    EXPECT_THAT(why([&](auto& s) { s.economies[at].converged = false; }), HasSubstr(name));
    // Only the first one's panel is always simulated again.
    EXPECT_THAT(why([&](auto& s) { s.economies[at].last_wealth[44] += 1; }, e > 0),
                HasSubstr(name));
  }
  EXPECT_THAT(why([&](auto& s) { std::swap(s.economies[2], s.economies[3]); }),
              HasSubstr("economy 2 ("));
  EXPECT_THAT(why([&](auto& s) { s.economies.pop_back(); }), HasSubstr("has 11 economies"));
}

TEST(KrusellSmithEconomies, WhatABatchCannotBeIsRefused) {
  const auto refusal = [](const Parameters& given) -> std::string {
    return complaint_of([&] { return case_of(given); });
  };
  EXPECT_EQ(refusal(batch(1'200)), "");
  EXPECT_THAT(refusal(with(batch(10), "stage", "panel")), HasSubstr("stage = all"));
  EXPECT_THAT(refusal(with(batch(1'000), "N", std::int64_t{1'000'000})), HasSubstr("take fewer"));
}

/// The GPU's batch.
class GpuKrusellSmithEconomies : public ::testing::Test {
 protected:
  void SetUp() override {
    const Implementation* implementation = Registry::global().find(name);
    if (implementation == nullptr) GTEST_SKIP() << "a build without CUDA";
    if (const std::string why = implementation->unavailable(); !why.empty()) GTEST_SKIP() << why;
  }

  static Outcome solve_on_gpu(const Parameters& given, std::string* bits = nullptr,
                              std::vector<std::string>* stages = nullptr) {
    const Case which = Registry::global().make_case(name, given, 8);
    Outcome outcome = macrobench::solve(which, bits, stages);
    EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
    return outcome;
  }

  static constexpr const char* name = "krusell_smith/frontier_cuda";
};

TEST_F(GpuKrusellSmithEconomies, AreTheProcessors) {
  for (const char* policy : {"egm", "egm_cuda"}) {
    for (const char* law_update : {"quasi_newton", "relaxation"}) {
      Parameters given = with(with(batch(5), "policy", policy), "law_update", law_update);
      given.set("reuse_tolerance", 10.0);
      const Outcome gpu = solve_on_gpu(given);
      given.set("policy", "egm");
      const Outcome cpu = macrobench::solve(case_of(given));
      ASSERT_TRUE(cpu.valid) << cpu.why;
      EXPECT_EQ(gpu.figures.at("economies"), 5);
      EXPECT_TRUE(gpu.exhaustive);
      for (const char* figure : {"b0_bad", "b1_bad", "b0_good", "b1_good"}) {
        EXPECT_NEAR(gpu.figures.at(figure), cpu.figures.at(figure), 1e-6)
            << policy << ", " << law_update << ", " << figure;
      }
    }
  }
}

TEST_F(GpuKrusellSmithEconomies, TheFirstHasTheSameBitsAsAlone) {
  // In registers of a cluster and of a block, in the shared memory of a cluster and of a block; and
  // chunks of 128 agents instead of 32.
  for (const std::int64_t N : {500, 3'001, 16'385}) {
    Parameters given = with(with(batch(1), "N", N), "policy", "egm_cuda");
    const Outcome alone = solve_on_gpu(given);
    for (const std::int64_t economies : {3, 20, 60, 140}) {
      if (N * economies > 2'000'000) continue;
      const Outcome together = solve_on_gpu(with(given, "economies", economies));
      for (const char* figure : {"b0_bad", "b1_bad", "b0_good", "b1_good", "K_mean", "wealth_sd",
                                 "wealth_median", "policy_iterations"}) {
        EXPECT_EQ(together.figures.at(figure), alone.figures.at(figure))
            << N << ", " << economies << ", " << figure;
      }
    }
  }
}

TEST_F(GpuKrusellSmithEconomies, HaveTheSameBitsTwice) {
  std::string bits[2];
  std::vector<std::string> stages;
  for (std::string& of_one : bits) {
    stages.clear();
    solve_on_gpu(with(batch(40), "policy", "egm_cuda"), &of_one, &stages);
  }
  EXPECT_EQ(bits[0], bits[1]);
  EXPECT_THAT(stages, ElementsAre("arrays", "few agents", "policy", "panel", "regression"));
}

TEST_F(GpuKrusellSmithEconomies, AreValidInSinglePrecisionAndByEachInterpolation) {
  for (const char* real : {"double", "single"}) {
    for (const char* interpolation : {"catmull_rom", "linear", "spline"}) {
      Parameters given = with(with(batch(6), "real", real), "panel_interpolation", interpolation);
      given.set("policy", "egm_cuda");
      if (std::string(real) == "single") given.set("tolerance", 1e-4);
      solve_on_gpu(given);
    }
  }
}

TEST_F(GpuKrusellSmithEconomies, WhatDoesNotFitIsSaid) {
  const auto why = [](const Parameters& given) {
    return Registry::global().make_case(name, given, 8).unavailable();
  };
  EXPECT_EQ(why(batch(4)), "");
  EXPECT_THAT(why(with(batch(4), "N", std::int64_t{65'537})), HasSubstr("room for 65536 agents"));
  EXPECT_THAT(why(with(batch(4), "gpus", std::int64_t{2})), HasSubstr("take gpus = 1"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
