// The driver's clock, and stages that other processes have timed.

#include "harness/run/stage_clock.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

std::vector<std::string> names_of(const StageClock& clock) {
  std::vector<std::string> names;
  for (const auto& [name, seconds] : clock.stages()) names.push_back(name);
  return names;
}

double sum_of(const StageClock& clock) {
  double sum = 0;
  for (const auto& [name, seconds] : clock.stages()) sum += seconds;
  return sum;
}

TEST(StageClock, TakesWhatOthersTimedOutOfTheStageThatItWasIn) {
  StageClock clock;
  clock.enter("panel");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  clock.took("exchange", 0.002);
  clock.took("exchange", 0.001);
  clock.finish();
  ASSERT_THAT(names_of(clock), ElementsAre("panel", "exchange"));
  EXPECT_DOUBLE_EQ(clock.stages()[1].second, 0.003);
  EXPECT_LE(sum_of(clock), clock.seconds());
  EXPECT_GE(clock.stages()[0].second, 0.002);
}

TEST(StageClock, HasOnlyThatIfNoStageWasEntered) {
  StageClock clock;
  clock.took("before", 1);
  clock.finish();
  clock.took("after", 2);
  ASSERT_THAT(names_of(clock), ElementsAre("before", "after"));
  EXPECT_EQ(clock.stages()[0].second, 1);
  EXPECT_EQ(clock.stages()[1].second, 2);
}

}  // namespace
}  // namespace macrobench
