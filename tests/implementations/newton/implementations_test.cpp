// Every implementation in the registry, compared with the closed form: a new one is tested as soon
// as it is registered.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/program_problem.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

class EveryNewton : public EveryImplementation {
 protected:
  EveryNewton() : EveryImplementation("newton") {}

  /// A case of it for each precision that it has.
  [[nodiscard]] std::vector<Case> cases(const Parameters& given) const {
    return cases_of(*implementation_, given);
  }
  static std::vector<Case> cases_of(const Implementation& implementation, const Parameters& given) {
    std::vector<Case> all;
    for (const std::string& choice : choices(implementation, "real")) {
      all.push_back(make(implementation, with(given, "real", choice)));
    }
    return all;
  }
};

TEST_P(EveryNewton, FindsTheClosedForm) {
  for (const std::int64_t n : {1, 2, 3, 1000, 4097}) {
    for (const Case& which : cases({{"n", n}})) {
      const Outcome outcome = solve(which);
      EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
      EXPECT_TRUE(outcome.exhaustive);
      EXPECT_EQ(outcome.checked_states, n);
      // -b / 2a at both ends, written out; one coefficient alone is the first.
      const bool single = which.parameters.name("real") == "single";
      EXPECT_NEAR(outcome.figures.at("argmax_first"), 2.3 / 1.8, single ? 1e-6 : 1e-14);
      EXPECT_NEAR(outcome.figures.at("argmax_last"), n == 1 ? 2.3 / 1.8 : 11.5,
                  single ? 6e-5 : 1.1e-13);
    }
  }
}

TEST_P(EveryNewton, LandsInOneStepAndNoticesInTheNext) {
  for (const Case& which : cases({})) EXPECT_EQ(solve(which).iterations, 2) << which.key();
}

TEST_P(EveryNewton, HoldsForOtherNumbers) {
  const std::vector<Parameters> others{
      {{"x0", -1e6}, {"tolerance", 1e-3}},
      {{"b", 0.0}},
      {{"b", 0.0}, {"x0", 0.0}},
      {{"b", -7.0}, {"c", 0.0}},
      {{"a_low", -1e4}, {"a_high", -50.0}},
      {{"tolerance", 1.0}},
  };
  for (Parameters given : others) {
    given.set("n", std::int64_t{257});
    for (const Case& which : cases(given)) {
      const Outcome outcome = solve(which);
      EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
    }
  }
}

TEST_P(EveryNewton, SaysWhenNewtonsMethodWasCutShort) {
  for (const Case& which : cases({{"n", 5}, {"iteration_cap", 1}})) {
    const Outcome outcome = solve(which);
    EXPECT_FALSE(outcome.valid);
    EXPECT_THAT(outcome.why, HasSubstr("not converged within iteration_cap = 1 at a[0]"));
    EXPECT_TRUE(outcome.gave_up);
  }
}

TEST_P(EveryNewton, GivesTheSameBitsTwiceAndAtAnyThreadCountOrBlock) {
  const Parameters one{{"n", 4097}};
  Parameters other = one;
  other.set("threads", std::int64_t{3});
  other.set("block", std::int64_t{96});
  const std::vector<Case> first = cases(one);
  const std::vector<Case> second = cases(other);
  for (std::size_t k = 0; k < first.size(); ++k) {
    std::string expected;
    std::string again;
    std::string otherwise;
    solve(first[k], &expected);
    solve(first[k], &again);
    solve(second[k], &otherwise);
    EXPECT_EQ(again, expected);
    EXPECT_EQ(otherwise, expected);
  }
}

TEST_P(EveryNewton, GivesTheSameBitsDividedAmongDevices) {
  for (const std::int64_t gpus : {1, 2, 4}) {
    if (const std::string why = no_gpus_for(*implementation_, gpus); !why.empty()) {
      if (gpus < 4) GTEST_SKIP() << why;
      break;
    }
    for (const std::int64_t n : {1, 2, 4097, 1'000'003}) {
      const Parameters one{{"n", n}};
      const std::vector<Case> alone = cases_of(on_one_gpu(*implementation_), one);
      const std::vector<Case> divided = cases(with(one, "gpus", gpus));
      for (std::size_t k = 0; k < alone.size(); ++k) {
        std::string expected;
        std::string found;
        solve(alone[k], &expected);
        const Outcome outcome = solve(divided[k], &found);
        EXPECT_TRUE(outcome.valid) << divided[k].key() << ": " << outcome.why;
        EXPECT_EQ(found, expected) << divided[k].key();
      }
    }
  }
}

TEST_P(EveryNewton, NeedsAsManyDevicesAsItIsAskedFor) {
  if (!has(*implementation_, "gpus")) GTEST_SKIP() << "it divides nothing among GPUs";
  EXPECT_EQ(no_gpus_for(*implementation_, 1), "");
  EXPECT_THAT(no_gpus_for(*implementation_, 64), HasSubstr("too few GPUs here: gpus = 64"));
  const Axis& gpus = find_axis(implementation_->axes, "gpus");
  const Value all = parse_value(gpus, "all", 3);
  EXPECT_EQ(no_gpus_for(*implementation_, std::get<std::int64_t>(all)), "");
  EXPECT_EQ(make(*implementation_, {{"gpus", 1}}).key(), make(*implementation_, {}).key());
}

FOR_EVERY_IMPLEMENTATION(EveryNewton, names_of, "newton");

TEST(NewtonOfPrograms, EveryParameterIsInTheProblem) {
  expect_every_parameter_in_problem("newton", {});
}

}  // namespace
}  // namespace macrobench
