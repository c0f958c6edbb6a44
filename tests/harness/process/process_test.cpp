#include "harness/process/process.hpp"

#include <chrono>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

TEST(AProcessAtItsDeadline, IsEndedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result =
      run_process({.executable = "sh", .command = {"sh", "-c", "sleep 100"}, .deadline = 0.3});
  EXPECT_EQ(result.end, ProcessResult::End::deadline);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

}  // namespace
}  // namespace macrobench
