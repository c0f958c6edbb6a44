#include <memory>
#include <string>

#include "harness/model/registry.hpp"
#include "harness/model/stages.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

std::string complaint(const Parameters& given) {
  return complaint_of([&] { return Registry::global().make_case("krusell_smith/cpu", given, 1); });
}

TEST(BadInput, OfKrusellSmithIsSaidInOneSentence) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_THAT(complaint({{"N", 0}}), HasSubstr("N = 0: it must be from 1 to"));
  EXPECT_THAT(complaint({{"nk", 3}}), HasSubstr("nk = 3: it must be from 4 to"));
  EXPECT_THAT(complaint({{"nK", 3}}), HasSubstr("nK = 3: it must be from 4 to"));
  EXPECT_THAT(complaint({{"T", 5}}), HasSubstr("T = 5"));
  EXPECT_THAT(complaint({{"T", 105}}),
              HasSubstr("burn_in = 100 of T = 105 periods: leave at least 10"));
  EXPECT_THAT(complaint({{"K_min", 50.0}}), HasSubstr("K_min must be the lower one"));
  EXPECT_THAT(complaint({{"k_max", 50.0}}), HasSubstr("k_max = 50"));
  EXPECT_THAT(complaint({{"beta", 1.0}}), HasSubstr("beta = 1"));
  EXPECT_THAT(complaint({{"gamma", 0.0}}), HasSubstr("gamma = 0"));
  EXPECT_THAT(complaint({{"relaxation", 0.0}}), HasSubstr("relaxation = 0"));
  EXPECT_THAT(complaint({{"damping", 1.5}}), HasSubstr("damping = 1.5"));
  EXPECT_THAT(complaint({{"policy", "newton"}}), HasSubstr("policy"));
  EXPECT_THAT(complaint({{"N", 100'000'000}, {"T", 10'000}}),
              AllOf(HasSubstr("N = 100000000 agents in T = 10000 periods"), HasSubstr("125 GB")));
  EXPECT_THAT(complaint({{"N", 100'000'001}}),
              HasSubstr("from 1 to 100000000; their shocks are in memory; "
                        "krusell_smith/frontier_cuda draws those of more"));
}

TEST(BadInput, NamesTheRowThatDoesNotAddUpToOneAndByHowMuch) {
  // Table B.1 as Hatcher and Scheffel print it.
  EXPECT_THAT(
      complaint({{"p41", 0.009115}, {"p42", 0.115885}, {"p43", 0.024306}, {"p44", 0.859604}}),
      AllOf(HasSubstr("row 4"), HasSubstr("(good, employed)"),
            HasSubstr("adds up to 1.00891, +0.00891 from 1"), HasSubstr("p41 to p44")));
  EXPECT_THAT(complaint({{"p11", 0.5}}),
              AllOf(HasSubstr("row 1"), HasSubstr("adds up to 0.975, -0.025 from 1")));
}

TEST(BadInput, IsNotAMatrixOfSixDecimalsWhichIsScaledAndTheOutcomeSaysSo) {
  // The economy's own, rounded: its rows add up to 1, and its unemployment is .1 to 1e-7.
  const Parameters rounded{{"p21", 0.038889}, {"p22", 0.836111}, {"p23", 0.002083},
                           {"p24", 0.122917}, {"p33", 0.291667}, {"p34", 0.583333},
                           {"p41", 0.009115}, {"p42", 0.115885}, {"p43", 0.024306},
                           {"p44", 0.850694}};
  EXPECT_EQ(complaint(rounded), "");
  Parameters truncated = rounded;
  truncated.set("p44", 0.850692);
  EXPECT_EQ(complaint(truncated), "");
  Parameters given = truncated;
  for (const auto& [name, value] : Parameters{{"N", 200},
                                              {"T", 60},
                                              {"nk", 12},
                                              {"burn_in", 20},
                                              {"stage", "panel"},
                                              {"K_min", 1.0},
                                              {"K_max", 200.0},
                                              {"policy_tolerance", 1e-6}}) {
    given.set(name, value);
  }
  const Case which = Registry::global().make_case("krusell_smith/cpu", given, 1);
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  NoStages none;
  instance->solve(none);
  const Outcome outcome = instance->check(true);
  EXPECT_TRUE(outcome.valid) << outcome.why;
  EXPECT_EQ(outcome.notes.at("transition matrix"), "rows scaled to add up to 1, by 2e-06 at most");

  truncated.set("p44", 0.850672);
  EXPECT_THAT(complaint(truncated), HasSubstr("adds up to 0.999978"));
  // One that has more decimals is not rounded.
  truncated.set("p44", 0.8506921);
  EXPECT_THAT(complaint(truncated), HasSubstr("row 4"));
}

TEST(BadInput, TellsATransitionMatrixThatIsNoneOfThisEconomy) {
  EXPECT_THAT(complaint({{"p11", 0.5}, {"p13", 0.05625}}),
              HasSubstr("the aggregate state must not depend on employment"));
  EXPECT_THAT(complaint({{"p11", 0.5}, {"p12", 0.375}}),
              AllOf(HasSubstr("take unemployment from 0.1"), HasSubstr("u_bad = 0.1")));
  EXPECT_THAT(complaint({{"u_good", 0.05}}), HasSubstr("unemployment"));
}

}  // namespace
}  // namespace macrobench
