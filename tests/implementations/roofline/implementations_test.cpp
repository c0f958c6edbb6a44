// Every implementation of the registry, at sizes that its blocks and threads do not divide.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/implementations/every_implementation.hpp"

namespace macrobench {
namespace {

class EveryRoofline : public EveryImplementation {
 protected:
  EveryRoofline() : EveryImplementation("roofline") {}
};

TEST_P(EveryRoofline, ComesOutRightWhateverIsAsked) {
  for (const std::string& ceiling : choices(*implementation_, "ceiling")) {
    for (const std::string& real : choices(*implementation_, "real")) {
      for (const std::int64_t n : {4096, 3 * 4096, 17 * 4096}) {
        for (const std::int64_t passes : {1, 2, 5}) {
          const Case which = make(*implementation_, {{"ceiling", ceiling},
                                                     {"real", real},
                                                     {"n", n},
                                                     {"passes", passes},
                                                     {"threads", std::int64_t{3}}});
          std::vector<std::string> stages;
          const Outcome outcome = solve(which, nullptr, &stages);
          EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
          EXPECT_EQ(outcome.checked_states, n);
          EXPECT_THAT(stages, ::testing::UnorderedElementsAre("arrays", ceiling));
        }
      }
    }
  }
}

TEST_P(EveryRoofline, GivesTheSameBitsAtAnyThreadCount) {
  for (const std::string& ceiling : choices(*implementation_, "ceiling")) {
    std::uint64_t one = 0;
    std::uint64_t other = 1;
    const Parameters given{{"ceiling", ceiling}, {"n", std::int64_t{5 * 4096}}};
    solve(make(*implementation_, given), &one);
    solve(make(*implementation_, with(given, "threads", std::int64_t{4})), &other);
    EXPECT_EQ(one, other) << ceiling;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, EveryRoofline, ::testing::ValuesIn(names_of("roofline", false)),
                         [](const auto& tested) { return tested.param; });
INSTANTIATE_TEST_SUITE_P(Gpu, EveryRoofline, ::testing::ValuesIn(names_of("roofline", true)),
                         [](const auto& tested) { return tested.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryRoofline);

}  // namespace
}  // namespace macrobench
