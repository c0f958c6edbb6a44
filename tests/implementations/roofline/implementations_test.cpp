// Every implementation of the registry, at sizes that its blocks and threads do not divide.

#include <string>
#include <vector>

#include "harness/text/error.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

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
          const Case which = make(
              *implementation_,
              {{"ceiling", ceiling}, {"real", real}, {"n", n}, {"passes", passes}, {"threads", 3}});
          std::vector<std::string> stages;
          const Outcome outcome = solve(which, nullptr, &stages);
          EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
          EXPECT_EQ(outcome.checked_states, n);
          // One GPU exchanges nothing.
          EXPECT_THAT(stages, ::testing::UnorderedElementsAre(
                                  "arrays", ceiling == "exchange" ? "shift" : ceiling));
        }
      }
    }
  }
}

TEST_P(EveryRoofline, GivesTheSameBitsAtAnyThreadCount) {
  for (const std::string& ceiling : choices(*implementation_, "ceiling")) {
    std::string one;
    std::string other;
    const Parameters given{{"ceiling", ceiling}, {"n", std::int64_t{5 * 4096}}};
    solve(make(*implementation_, given), &one);
    solve(make(*implementation_, with(given, "threads", std::int64_t{4})), &other);
    EXPECT_EQ(one, other) << ceiling;
  }
}

TEST_P(EveryRoofline, ExchangesBetweenGpus) {
  for (const std::int64_t gpus : {2, 4}) {
    const Parameters given{{"ceiling", "exchange"}, {"n", std::int64_t{17 * 4096}}};
    if (!has(*implementation_, "gpus")) GTEST_SKIP() << "it has no GPUs";
    const Case which = make(*implementation_, with(given, "gpus", gpus));
    if (const std::string why = which.unavailable(); !why.empty()) {
      if (gpus == 2) GTEST_SKIP() << why;
      break;
    }
    std::vector<std::string> stages;
    const Outcome outcome = solve(which, nullptr, &stages);
    EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
    EXPECT_THAT(stages, ::testing::UnorderedElementsAre("arrays", "shift", "exchange"));
    EXPECT_EQ(outcome.notes.count("link"), 1U);
  }
}

TEST(Roofline, OnlyTheExchangeIsOfSeveralGpus) {
  const Model& model = Registry::global().model("roofline");
  const auto checked = [&](const char* ceiling) {
    model.check(complete(model.axes, {{"ceiling", ceiling}, {"gpus", 2}}, 1));
  };
  EXPECT_NO_THROW(checked("exchange"));
  EXPECT_THROW(checked("copy"), UsageError);
}

TEST(Roofline, TheExchangesFloorIsWhatEachGetsFromTheOthers) {
  const Model& model = Registry::global().model("roofline");
  const auto floor = [&](std::int64_t gpus) {
    return model.floor_of(
        "cuda",
        {{"ceiling", "exchange"}, {"n", 4096}, {"passes", 3}, {"real", "single"}, {"gpus", gpus}},
        {});
  };
  EXPECT_EQ(floor(1).exchanged, 0);
  EXPECT_EQ(floor(4).exchanged, 3 * 4096 * 4 * 3 / 4);
}

FOR_EVERY_IMPLEMENTATION(EveryRoofline, names_of, "roofline");

}  // namespace
}  // namespace macrobench
