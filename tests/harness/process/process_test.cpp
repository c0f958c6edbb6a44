#include "harness/process/process.hpp"

#include <chrono>
#include <string>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

ProcessResult at_its_deadline(const std::string& script) {
  return run_process({.executable = "sh", .command = {"sh", "-c", script}, .deadline = 0.3});
}

double seconds_of(const std::string& script) {
  const auto begin = std::chrono::steady_clock::now();
  at_its_deadline(script);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(AProcessAtItsDeadline, SaysItsLastWordsIfItCatchesTheSignal) {
  const ProcessResult result =
      at_its_deadline("trap 'echo it was the third; exit 1' USR1; while :; do sleep 0.02; done");
  EXPECT_EQ(result.end, ProcessResult::End::deadline);
  EXPECT_TRUE(result.has_last_words);
  EXPECT_THAT(result.output, HasSubstr("it was the third"));
}

TEST(AProcessAtItsDeadline, IsEndedAtOnceIfItDoesNot) {
  const ProcessResult result = at_its_deadline("sleep 100");
  EXPECT_EQ(result.end, ProcessResult::End::deadline);
  EXPECT_FALSE(result.has_last_words);
  EXPECT_LT(seconds_of("sleep 100"), 2);
}

TEST(AProcessAtItsDeadline, IsEndedAllTheSameIfItGoesOn) {
  const std::string goes_on = "trap 'echo not yet' USR1; while :; do sleep 0.02; done";
  EXPECT_LT(seconds_of(goes_on), 10);
  EXPECT_EQ(at_its_deadline(goes_on).end, ProcessResult::End::deadline);
}

}  // namespace
}  // namespace macrobench
