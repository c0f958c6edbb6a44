#include "harness/process/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "harness/process/elapsed.hpp"

namespace macrobench {
namespace {

ChildCommand cat() {
  return {.name = "cat", .command = {"cat"}};
}

std::string echo_of(ChildProcess& child, const std::string& word) {
  child.write(word + "\n");
  return child.read_line(10);
}

TEST(ChildProcess, TheEndOfOneLeavesOthersAlone) {
  auto first = std::make_unique<ChildProcess>(cat());
  auto second = std::make_unique<ChildProcess>(cat());
  EXPECT_EQ(echo_of(*first, "one"), "one");
  first.reset();
  EXPECT_EQ(echo_of(*second, "two"), "two");
  second = std::make_unique<ChildProcess>(cat());  // the old one ends when the new one is there
  EXPECT_EQ(echo_of(*second, "three"), "three");
}

TEST(ChildProcess, TakesWithItWhatWentAwayWhoeverElseIsThere) {
  auto leaver = std::make_unique<ChildProcess>(ChildCommand{
      .name = "leaver", .command = {"sh", "-c", "setsid sleep 1000 >&- 2>&- <&- & echo $!; cat"}});
  const pid_t gone = std::stoi(leaver->read_line(10));
  ChildProcess other(cat());
  EXPECT_GT(use_of({gone}).processes, 0);
  leaver.reset();
  EXPECT_EQ(use_of({gone}).processes, 0);
  EXPECT_EQ(echo_of(other, "here"), "here");
}

TEST(ChildProcess, IsChargedWithWhatWentAway) {
  ChildProcess leaver({.name = "leaver",
                       .command = {"sh", "-c",
                                   "(setsid sh -c 'while :; do :; done' >&- 2>&- <&- &); echo; "
                                   "exec cat"}});
  static_cast<void>(leaver.read_line(10));
  const auto begin = std::chrono::steady_clock::now();
  while (leaver.use().cpu_seconds < 0.2 && seconds_since(begin) < 20) leaver.wait(0.05);
  EXPECT_GE(leaver.use().cpu_seconds, 0.2);
  EXPECT_GE(leaver.use().processes, 2);
}

}  // namespace
}  // namespace macrobench
