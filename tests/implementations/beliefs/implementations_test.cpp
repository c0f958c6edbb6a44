// Every implementation in the registry, compared with a tree summed by hand and with closed forms:
// a new one is tested by being there.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/implementations/beliefs/brute_force.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::beliefs {
namespace {

/// Economies that differ in all that the papers hold fixed.
std::vector<Parameters> economies() {
  return {{},
          {{"gamma_1", 1.0}, {"gamma_2", 1.0}},
          {{"gamma_1", 3.0}, {"gamma_2", 0.7}},
          {{"gamma_1", 0.5}, {"gamma_2", 6.0}, {"believed_pi_hh", 0.7}},
          {{"beta_1", 0.9}, {"beta_2", 0.99}},
          {{"s0", "low"}, {"believed_pi_ll", 0.1665}, {"C0", 3.5}},
          {{"mu_1", 0.05}, {"mu_2", 0.95}, {"believed_pi_ll", 0.9}, {"gamma_2", 5.0}},
          {{"growth", "as_published"}, {"first_c2", 0.1}}};
}

Calibration calibration_of(const Parameters& parameters) {
  Calibration c;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double*>>{{"mu_1", &c.mu_1},
                                                    {"mu_2", &c.mu_2},
                                                    {"gamma_1", &c.gamma_1},
                                                    {"gamma_2", &c.gamma_2},
                                                    {"beta_1", &c.beta_1},
                                                    {"beta_2", &c.beta_2},
                                                    {"believed_pi_hh", &c.believed_pi_hh},
                                                    {"believed_pi_ll", &c.believed_pi_ll},
                                                    {"C0", &c.C0}}) {
    read(parameters, name, *value);
  }
  c.starts_low = parameters.find("s0") != nullptr;
  if (parameters.find("growth") != nullptr) std::swap(c.alpha_h, c.alpha_l);
  return c;
}

class EveryBeliefs : public EveryImplementation {
 protected:
  EveryBeliefs() : EveryImplementation("beliefs") {}

  /// A program from outside starts in a second.
  [[nodiscard]] bool slow() const { return !implementation_->folder.empty(); }
};

TEST_P(EveryBeliefs, IsWhatATreeSummedByHandIs) {
  for (const Parameters& economy : economies()) {
    for (const std::int64_t T : {1, 2, 3, 4, 7, 10}) {
      if (slow() && T != 1 && T != 7) continue;
      const Case which = make(*implementation_, with(economy, "T", T));
      SCOPED_TRACE(which.key());
      const Outcome outcome = solve(which);
      ASSERT_TRUE(outcome.valid) << outcome.why;
      EXPECT_TRUE(outcome.exhaustive);
      EXPECT_LT(outcome.figures.at("sums_error"), 1e-12);

      const BruteForce tree{calibration_of(economy),
                            {outcome.figures.at("c1_0"), outcome.figures.at("c2_0")}};
      const BruteForce::Sums sums = tree.sums(static_cast<int>(T));
      const auto total = [](const std::vector<long double>& by_period) {
        return std::accumulate(by_period.begin(), by_period.end(), 0.0L);
      };
      const long double wealth = total(sums.wealth);
      EXPECT_NEAR(outcome.figures.at("wealth") / static_cast<double>(wealth), 1, 1e-12);
      EXPECT_LT(std::abs(static_cast<double>((wealth - total(sums.spending)) / wealth)), 1.1e-10);
    }
  }
}

TEST_P(EveryBeliefs, EqualBeliefsShareEverything) {
  // c1 = c2 = C, and wealth is a product of 2 x 2 matrices.
  const std::int64_t T = 12;
  const Outcome outcome = solve(make(*implementation_, {{"T", T}, {"believed_pi_ll", 0.5304}}));
  ASSERT_TRUE(outcome.valid) << outcome.why;
  EXPECT_EQ(outcome.figures.at("passes"), 1);
  EXPECT_NEAR(outcome.figures.at("c1_0"), 1, 1e-14);
  EXPECT_NEAR(outcome.figures.at("c2_0"), 1, 1e-14);

  const Calibration c;
  const double h = c.beta_1 * std::exp((1 - c.gamma_1) * c.alpha_h);
  const double l = c.beta_1 * std::exp((1 - c.gamma_1) * c.alpha_l);
  std::array<double, 2> v{1, 0};
  double wealth = 1;
  for (int t = 1; t <= T; ++t) {
    v = {(v[0] * c.pi_hh + v[1] * (1 - c.pi_ll)) * h, (v[0] * (1 - c.pi_hh) + v[1] * c.pi_ll) * l};
    wealth += v[0] + v[1];
  }
  EXPECT_NEAR(outcome.figures.at("wealth"), wealth, 1e-13 * wealth);
}

TEST_P(EveryBeliefs, WithLogUtilityEachSpendsAFixedShareOfItsWealth) {
  // q c_i = beta_i^t pi_i c_i(s_0), whatever the other type believes.
  const std::int64_t T = 11;
  const double beta_1 = 0.95;
  const double beta_2 = 0.99;
  const Outcome outcome = solve(make(*implementation_, {{"T", T},
                                                        {"gamma_1", 1.0},
                                                        {"gamma_2", 1.0},
                                                        {"beta_1", beta_1},
                                                        {"beta_2", beta_2},
                                                        {"believed_pi_ll", 0.1665}}));
  ASSERT_TRUE(outcome.valid) << outcome.why;
  const auto periods = [&](double beta) {
    return (1 - std::pow(beta, static_cast<double>(T) + 1)) / (1 - beta);
  };
  const double c2_over_c1 = periods(beta_1) / periods(beta_2);
  EXPECT_NEAR(outcome.figures.at("c2_0") / outcome.figures.at("c1_0"), c2_over_c1, 1e-9);
  EXPECT_NEAR(outcome.figures.at("wealth"), outcome.figures.at("c1_0") * periods(beta_1), 1e-9);
}

TEST_P(EveryBeliefs, AgreesWithTheFrontierOnALongerTree) {
  const std::int64_t T = GetParam() == "serial" ? 14 : 16;
  const Outcome outcome = solve(make(*implementation_, {{"T", T}}));
  ASSERT_TRUE(outcome.valid) << outcome.why;
  const Implementation& frontier = Registry::global().implementation("beliefs/frontier");
  const Outcome reference = solve(make(frontier, {{"T", T}}));
  EXPECT_NEAR(outcome.figures.at("c2_0"), reference.figures.at("c2_0"), 1e-11);
  EXPECT_NEAR(outcome.figures.at("wealth") / reference.figures.at("wealth"), 1, 1e-12);
  EXPECT_EQ(outcome.figures.at("passes"), reference.figures.at("passes"));
}

TEST_P(EveryBeliefs, GivesTheSameBitsTwice) {
  for (const std::int64_t threads : {1, 3}) {
    if (threads > 1 && !has(*implementation_, "threads")) continue;
    const Case which = make(*implementation_, {{"T", 13}, {"threads", threads}});
    std::string first;
    std::string second;
    solve(which, &first);
    solve(which, &second);
    EXPECT_EQ(first, second) << which.key();
  }
}

TEST_P(EveryBeliefs, IsValidAtAnyThreadCountAndBlock) {
  for (const std::int64_t count : {2, 3, 5, 16}) {
    if (!has(*implementation_, "threads") && !has(*implementation_, "block")) continue;
    const Case which =
        make(*implementation_, {{"T", 9}, {"threads", count}, {"block", 32 * count}});
    const Outcome outcome = solve(which);
    EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
  }
}

TEST_P(EveryBeliefs, IsTheSameDividedAmongDevices) {
  for (const std::int64_t gpus : {1, 2, 4}) {
    if (const std::string why = no_gpus_for(*implementation_, gpus); !why.empty()) {
      if (gpus < 4) GTEST_SKIP() << why;
      break;
    }
    for (const std::int64_t T : {1, 2, 9, 22}) {
      const Case divided = make(*implementation_, {{"T", T}, {"gpus", gpus}});
      std::string expected;
      std::string found;
      std::string again;
      const Outcome alone = solve(make(on_one_gpu(*implementation_), {{"T", T}}), &expected);
      const Outcome outcome = solve(divided, &found);
      solve(divided, &again);
      EXPECT_TRUE(outcome.valid) << divided.key() << ": " << outcome.why;
      EXPECT_EQ(again, found) << divided.key();
      // Thrust adds up each GPU's nodes by themselves; the blocks' sums are always the same.
      if (GetParam() != "thrust_cuda_gpus") {
        EXPECT_EQ(found, expected) << divided.key();
      }
      EXPECT_NEAR(outcome.figures.at("c2_0"), alone.figures.at("c2_0"), 1e-13);
      EXPECT_EQ(outcome.figures.at("newton_iterations_mean"),
                alone.figures.at("newton_iterations_mean"));
    }
  }
}

TEST_P(EveryBeliefs, CountsItsPassesNodesAndNewtonSteps) {
  std::vector<std::string> stages;
  const Outcome outcome = solve(make(*implementation_, {{"T", 10}}), nullptr, &stages);
  // A program from outside says no stages.
  if (implementation_->folder.empty()) {
    EXPECT_THAT(stages, Contains("pass"));
  }
  EXPECT_EQ(outcome.figures.at("passes"), 3);
  EXPECT_EQ(outcome.figures.at("nodes"), GetParam() == "frontier" ? 230 : 2046);
  // With equal gammas the equation is linear in c1: one step, and one that finds nothing left.
  EXPECT_GT(outcome.figures.at("newton_iterations_mean"), 1);
  EXPECT_LE(outcome.figures.at("newton_iterations_mean"), 2);
}

TEST_P(EveryBeliefs, SaysThatItDidNotConverge) {
  const Outcome outcome = solve(make(*implementation_, {{"T", 8}, {"pass_cap", 2}}));
  EXPECT_FALSE(outcome.valid);
  EXPECT_THAT(outcome.why, HasSubstr("not converged"));
  const Outcome no_newton =
      solve(make(*implementation_, {{"T", 8}, {"gamma_2", 5.0}, {"newton_cap", 1}}));
  EXPECT_FALSE(no_newton.valid);
  EXPECT_THAT(no_newton.why, HasSubstr("not converged"));
}

TEST_P(EveryBeliefs, RefusesHorizonsItCannotServe) {
  const auto complaint = [&](std::int64_t T) -> std::string {
    return complaint_of([&] { return make(*implementation_, {{"T", T}}); });
  };
  EXPECT_THAT(complaint(0), HasSubstr("T = 0: it must be from 1 to"));
  if (!implementation_->folder.empty()) {
    EXPECT_THAT(make(*implementation_, {{"T", 63}}).unavailable(),
                HasSubstr("T = 63: the program takes T from 1 to 40"));
    return;
  }
  if (GetParam() == "frontier") {
    EXPECT_EQ(complaint(63), "");
    EXPECT_THAT(complaint(2001), HasSubstr("from 1 to 2000"));
  } else {
    EXPECT_THAT(complaint(63),
                HasSubstr("T = 63: it must be from 1 to 40; a tree has 2^(T+1) nodes; "
                          "take beliefs/frontier beyond"));
  }
}

FOR_EVERY_IMPLEMENTATION(EveryBeliefs, names_of, "beliefs");

}  // namespace
}  // namespace macrobench::beliefs
