// Every implementation of the registry: a new one is tested by being there.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

/// A small case: the part of `given`, and of what makes a case small, that the implementation
/// takes.
Case small_case(const Implementation& implementation, const Parameters& given) {
  Parameters small = {{"N", 400},
                      {"T", 160},
                      {"burn_in", 20},
                      {"nk", 20},
                      {"policy", "egm"},
                      {"law_update", "relaxation"},
                      {"accuracy_periods", 0},
                      {"reuse_tolerance", 10.0},
                      {"histogram_points", 150}};
  // 8-bit weights turn what should be smooth into steps: the law stays where it was, or jumps.
  if (implementation.name == "cuda_hardware") {
    small.set("tolerance", 1e-3);
    small.set("nk", std::int64_t{60});
  }
  for (const auto& [name, value] : given) small.set(name, value);
  // How a program from outside finds a policy is its own affair.
  if (!implementation.folder.empty()) small.set("policy", "euler");
  return make(implementation, small);
}

class EveryKrusellSmith : public EveryImplementation {
 protected:
  EveryKrusellSmith() : EveryImplementation("krusell_smith") {}

  /// A program from outside compiles for seconds.
  [[nodiscard]] bool slow() const { return !implementation_->folder.empty(); }

  /// Whether its panel is of agents whom it moves as the papers' CPU code does.
  [[nodiscard]] bool is_exact_panel() const {
    return has(*implementation_, "N") &&
           std::ranges::count(choices(*implementation_, "real"), "double") > 0;
  }
};

TEST_P(EveryKrusellSmith, IsValidWhateverTheNumberOfAgents) {
  for (const std::int64_t N : {400, 517, 1'003}) {
    if (slow() && N != 517) continue;
    const Case which = small_case(*implementation_, {{"N", N}});
    const Outcome outcome = solve(which);
    EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
    EXPECT_TRUE(outcome.exhaustive);
    if (is_exact_panel()) {
      EXPECT_LT(outcome.figures.at("path_error"), 1e-10);
    }
  }
}

TEST_P(EveryKrusellSmith, HasThePlainPanelsEquilibrium) {
  if (!is_exact_panel()) GTEST_SKIP() << "another panel";
  std::vector<Parameters> cases = {{{"N", 400}}, {{"N", 203}}};
  if (has(*implementation_, "moves")) cases.push_back({{"N", 203}, {"moves", "all"}});
  for (const Parameters& given : cases) {
    Problem problem = small_problem();
    problem.N = static_cast<int>(std::get<std::int64_t>(*given.find("N")));
    problem.moves_last = given.find("moves") != nullptr;
    if (slow()) problem.policy = "euler";
    const Equilibrium plain = plain_equilibrium(problem);
    const Outcome outcome = solve(small_case(*implementation_, given));
    ASSERT_TRUE(outcome.valid) << outcome.why;
    EXPECT_LT(outcome.figures.at("wealth_error"), 1e-9);
    EXPECT_EQ(outcome.iterations, plain.outer_iterations);
    EXPECT_NEAR(outcome.figures.at("b1_bad"), plain.law.b1[bad], 1e-8);
    EXPECT_NEAR(outcome.figures.at("b1_good"), plain.law.b1[good], 1e-8);
    double fifth = 0;
    for (const double K : plain.K_fifth) fifth += K / problem.T;
    EXPECT_NEAR(outcome.figures.at("K_fifth_mean") / fifth, 1, 1e-9);
  }
}

TEST_P(EveryKrusellSmith, IsValidForOtherEconomiesAndGrids) {
  const std::vector<Parameters> others = {{{"gamma", 3.0}},
                                          {{"policy", "euler"}},
                                          {{"policy_interpolation", "linear"}},
                                          {{"theta", 4.0}, {"k_max", 400.0}},
                                          {{"nK", 9}, {"nk", 33}},
                                          {{"seed", 99}, {"burn_in", 0}}};
  for (Parameters other : others) {
    if (implementation_->name == "cuda_hardware") other.set("nk", std::int64_t{60});
    const Case which = small_case(*implementation_, other);
    const Outcome outcome = solve(which);
    EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
  }
}

TEST_P(EveryKrusellSmith, GivesTheSameBitsTwiceAndAtAnyThreadCount) {
  // An outer iteration or two, in panels of more chunks than threads.
  Parameters quick = {
      {"N", 3'001}, {"tolerance", 1.0}, {"policy", "euler"}, {"policy_tolerance", 1e-2}, {"T", 60}};
  std::string first;
  solve(small_case(*implementation_, quick), &first);
  for (const std::int64_t threads : {1, 2, 3}) {
    quick.set("threads", threads);
    std::string again;
    const Outcome outcome = solve(small_case(*implementation_, quick), &again);
    EXPECT_LE(outcome.iterations, 2);
    EXPECT_EQ(first, again) << threads;
  }
}

TEST_P(EveryKrusellSmith, HasTheSameEquilibriumByAQuasiNewtonMethodInFewerPanels) {
  if (!has(*implementation_, "law_update")) GTEST_SKIP() << "only by relaxation";
  // With fewer households than the method takes for few, and with more.
  for (const std::int64_t N : {400, 3'001}) {
    Parameters given = {{"N", N}};
    const Outcome relaxed = solve(small_case(*implementation_, given));
    given.set("law_update", "quasi_newton");
    std::vector<std::string> stages;
    const Outcome outcome = solve(small_case(*implementation_, given), nullptr, &stages);
    ASSERT_TRUE(relaxed.valid) << relaxed.why;
    ASSERT_TRUE(outcome.valid) << outcome.why;
    EXPECT_LT(outcome.iterations, relaxed.iterations / 2);
    for (const char* coefficient : {"b0_bad", "b0_good", "b1_bad", "b1_good"}) {
      EXPECT_NEAR(outcome.figures.at(coefficient), relaxed.figures.at(coefficient), 1e-6)
          << coefficient;
    }
    EXPECT_THAT(stages, ElementsAre("arrays", "few agents", "policy", "panel", "regression"));
  }
}

TEST_P(EveryKrusellSmith, BelievesInALawThatItsNextStepHardlyMoves) {
  const Parameters given = {{"tolerance", 1e-3}, {"policy", "euler"}, {"policy_tolerance", 1e-7}};
  const Outcome outcome = solve(small_case(*implementation_, given));
  ASSERT_TRUE(outcome.valid) << outcome.why;
  // The residual is the law's largest distance to the one produced, in ln K', on the grid of K.
  const auto step = [&](const std::string& name) {
    return outcome.figures.at(name + "_relaxed") - outcome.figures.at(name);
  };
  double largest = 0;
  for (const std::string a : {"bad", "good"}) {
    for (const double K : {30, 50}) {
      largest = std::max(largest, std::abs(step("b0_" + a) + step("b1_" + a) * std::log(K)));
    }
  }
  EXPECT_NEAR(largest, 0.3 * outcome.residual, 1e-9);
}

/// Whatever finds the equilibrium, if every panel begins with the first cross-section.
TEST(OneEquilibrium, IsFoundByEveryMethodToTenTolerances) {
  constexpr double tolerance = 1e-7;
  // A batch's figures are its first economy's.
  const std::vector<Parameters> ways = {{{"threads", 1}}, {{"threads", 2}}, {{"economies", 3}}};
  std::optional<Outcome> first;
  int solved = 0;
  for (const char* name : {"cpu", "frontier", "cuda_software", "frontier_cuda"}) {
    const Implementation* its = Registry::global().find("krusell_smith/" + std::string(name));
    if (its == nullptr || !small_case(*its, {}).unavailable().empty()) continue;
    for (const char* law_update : {"relaxation", "quasi_newton"}) {
      if (law_update == std::string("quasi_newton") && !has(*its, "law_update")) continue;
      for (const char* policy : {"euler", "egm", "euler_cuda", "egm_cuda"}) {
        if (!why_no_policy(policy).empty()) continue;
        for (const Parameters& how : ways) {
          const auto& [axis, value] = *how.begin();
          if (!has(*its, axis)) continue;
          Parameters given = {{"N", 2'304},  // few agents are fewer
                              {"policy", std::string(policy)},
                              {"tolerance", tolerance},
                              {axis, value}};
          if (has(*its, "law_update")) given.set("law_update", std::string(law_update));
          const Case which = small_case(*its, given);
          const Outcome outcome = solve(which);
          ASSERT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
          if (!first) first = outcome;
          for (const char* figure : {"b0_bad", "b1_bad", "b0_good", "b1_good"}) {
            EXPECT_NEAR(outcome.figures.at(figure), first->figures.at(figure), 10 * tolerance)
                << which.key() << ", " << figure;
          }
          const double K_mean = first->figures.at("K_mean");
          EXPECT_NEAR(outcome.figures.at("K_mean") / K_mean, 1, 10 * tolerance) << which.key();
          ++solved;
        }
      }
    }
  }
  EXPECT_GE(solved, 2 * 2 + 2 * 2 * 3) << "cpu by two policies; frontier by two searches as well";
}

TEST(LooseTolerances, AreRefusedWithOneThatIsNot) {
  const Implementation& frontier = Registry::global().implementation("krusell_smith/frontier");
  const auto solved_with = [&](double tolerance) {
    return solve(small_case(frontier, {{"tolerance", tolerance}, {"policy", "euler"}}));
  };
  std::string advice;
  for (const double tolerance : {1.0, 0.1, 0.01}) {
    const Outcome outcome = solved_with(tolerance);
    EXPECT_FALSE(outcome.valid) << tolerance;
    const std::string option = "--tolerance ";
    const std::size_t at = outcome.why.find(option);
    ASSERT_NE(at, std::string::npos) << outcome.why;
    advice = outcome.why.substr(at + option.size());
  }
  const Outcome outcome = solved_with(std::stod(advice));
  EXPECT_TRUE(outcome.valid) << outcome.why;
}

TEST_P(EveryKrusellSmith, AnnouncesItsStages) {
  if (slow()) GTEST_SKIP() << "a program from outside says no stages";
  std::vector<std::string> stages;
  solve(small_case(*implementation_, {{"tolerance", 1.0}, {"policy", "euler"}}), nullptr, &stages);
  EXPECT_THAT(stages, ElementsAre("arrays", "policy", "panel", "regression"));
}

TEST_P(EveryKrusellSmith, SaysThatItDidNotConverge) {
  const Outcome outcome = solve(small_case(*implementation_, {{"outer_cap", 2}}));
  EXPECT_FALSE(outcome.valid);
  EXPECT_EQ(outcome.iterations, 4) << "the cap, and as many again at ten times the tolerance";
  EXPECT_THAT(outcome.why, HasSubstr("not converged: |B_new - B| ="));
  const Outcome no_policy =
      solve(small_case(*implementation_, {{"policy_cap", 2}, {"outer_cap", 1}}));
  EXPECT_FALSE(no_policy.valid);
}

TEST_P(EveryKrusellSmith, RelaxesTheToleranceOnceAndMarksIt) {
  if (!implementation_->folder.empty()) GTEST_SKIP() << "a program earns no wider tolerance";
  const Outcome strict = solve(small_case(*implementation_, {}));
  const std::int64_t cap = strict.iterations - 2;
  const Outcome relaxed = solve(small_case(*implementation_, {{"outer_cap", cap}}));
  if (implementation_->name == "cuda_hardware") {  // ten times its own tolerance is too wide
    EXPECT_FALSE(relaxed.valid);
    EXPECT_THAT(relaxed.why, HasSubstr("the tolerance, relaxed tenfold, lets the law of motion"));
    return;
  }
  EXPECT_TRUE(relaxed.valid) << relaxed.why;
  EXPECT_EQ(relaxed.figures.at("relaxed"), 1);
  EXPECT_EQ(strict.figures.at("relaxed"), 0);
  EXPECT_NEAR(relaxed.allowed / strict.allowed, 10, 1e-9);
}

FOR_EVERY_IMPLEMENTATION(EveryKrusellSmith, names_of, "krusell_smith");

/// At the papers' size.
Outcome published_size(const std::string& id, const Parameters& given) {
  Parameters parameters = {{"policy", "egm"}, {"accuracy_periods", 0}};
  for (const auto& [name, value] : given) parameters.set(name, value);
  return solve(Registry::global().make_case(id, parameters, available_cores()));
}

TEST(KrusellSmith, LandsWhereMaliarMaliarAndValliDo) {
  const Outcome outcome = published_size("krusell_smith/frontier", {});
  ASSERT_TRUE(outcome.valid) << outcome.why;
  EXPECT_NEAR(outcome.figures.at("b1_bad"), 0.965565, 0.003);
  EXPECT_NEAR(outcome.figures.at("b1_good"), 0.963238, 0.003);
  EXPECT_NEAR(outcome.figures.at("K_mean"), 39.36, 0.5);
  EXPECT_GT(outcome.figures.at("R2_bad"), 0.9999);
  EXPECT_GT(outcome.figures.at("R2_good"), 0.9999);
  EXPECT_LT(outcome.figures.at("path_error"), 1e-10);
  EXPECT_GT(outcome.figures.at("wealth_median"), 25);
}

TEST(KrusellSmith, LandsWhereTheirHistogramDoes) {
  const Outcome outcome = published_size("krusell_smith/histogram", {});
  ASSERT_TRUE(outcome.valid) << outcome.why;
  EXPECT_NEAR(outcome.figures.at("b1_bad"), 0.965942, 0.002);
  EXPECT_NEAR(outcome.figures.at("b1_good"), 0.963582, 0.002);
  EXPECT_NEAR(outcome.figures.at("K_mean"), 39.04, 0.2);
  EXPECT_GT(outcome.figures.at("R2_bad"), 0.99999);
  EXPECT_GT(outcome.figures.at("R2_good"), 0.99999);
}

TEST(KrusellSmith, InterpolatedInLinesOverFourPointsOfKHasASpuriousRichTail) {
  const auto in_a_chain = [](const char* interpolation) {
    return published_size("krusell_smith/frontier", {{"N", 2'000},
                                                     {"policy_interpolation", interpolation},
                                                     {"law_update", "relaxation"},
                                                     {"reuse_tolerance", 1e-6}});
  };
  const Outcome spline = in_a_chain("spline");
  const Outcome linear = in_a_chain("linear");
  ASSERT_TRUE(linear.valid) << linear.why;
  EXPECT_LT(spline.figures.at("wealth_sd"), 60);
  EXPECT_GT(linear.figures.at("wealth_sd"), 100);
  EXPECT_LT(linear.figures.at("wealth_median"), 0.7 * spline.figures.at("wealth_median"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
