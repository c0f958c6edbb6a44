#include "harness/process/child_process.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

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
  EXPECT_GT(use_of(gone).processes, 0);
  leaver.reset();
  EXPECT_EQ(use_of(gone).processes, 0);
  EXPECT_EQ(echo_of(other, "here"), "here");
}

}  // namespace
}  // namespace macrobench
