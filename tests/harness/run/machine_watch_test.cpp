#include "harness/run/machine_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/records/machine.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

using testing::Contains;
using testing::Pair;

constexpr const char* two_cores =
    "cpu  400 20 60 1000 40 2 8 10 5 0\n"
    "cpu0 300 10 40  500 20 1 4  6 5 0\n"
    "cpu1 100 10 20  500 20 1 4  4 0 0\n"
    "intr 1 2 3\n";

TEST(MachineWatch, AddsUpTheAllowedCores) {
  const auto both = core_seconds(two_cores, {0, 1});
  ASSERT_TRUE(both);
  EXPECT_DOUBLE_EQ(both->busy, 4.9);
  EXPECT_DOUBLE_EQ(both->stolen, 0.1);
  EXPECT_DOUBLE_EQ(both->idle, 10.4);
  EXPECT_DOUBLE_EQ(core_seconds(two_cores, {1})->busy, 1.35);
  EXPECT_FALSE(core_seconds(two_cores, {1, 2})) << "a core of which nothing is known";
  EXPECT_FALSE(core_seconds(two_cores, {}));
  EXPECT_FALSE(core_seconds("", {0}));
  EXPECT_FALSE(core_seconds("cpu0 1 2\n", {0}));
}

class WatchTest : public testing::Test {
 protected:
  void stat(const std::string& text) { write_file(folder.path() / "stat", text); }
  TemporaryFolder folder;
};

TEST_F(WatchTest, WhatTheCaseUsedIsNotTheWorkOfOthers) {
  stat("cpu0 100 0 0 100 0 0 0 0\n");
  write_file(folder.path() / "loadavg", "0.35 0.78 1.27 6/114 11690\n");
  write_file(folder.path() / "cpuinfo", "cpu MHz\t\t: 2500.000\ncpu MHz\t\t: 2700.000\n");
  const MachineWatch watch(folder.path().string(), {0});
  stat("cpu0 200 0 0 250 0 0 0 50\n");
  write_file(folder.path() / "loadavg", "1.35 0.78 1.27 7/114 11690\n");
  const Conditions met = watch.end(2, {.cpu_seconds = 0.25, .preempted = 3});
  EXPECT_DOUBLE_EQ(met.others_cores.value(), 0.375);
  EXPECT_DOUBLE_EQ(met.stolen_cores.value(), 0.25);
  EXPECT_EQ(met.cpu_seconds, 0.25);
  EXPECT_EQ(met.preempted, 3);
  EXPECT_EQ(met.load.before, 0.35);
  EXPECT_EQ(met.load.after, 1.35);
  EXPECT_EQ(met.runnable.before, 6);
  EXPECT_EQ(met.runnable.after, 7);
  EXPECT_EQ(met.mhz.before, 2600);
  EXPECT_EQ(watch.end(2, {.cpu_seconds = 1.5}).others_cores, 0) << "less than none is none";
}

TEST_F(WatchTest, WhatTheKernelDoesNotSayIsAbsent) {
  const Conditions nothing = MachineWatch(folder.path().string(), {0}).end(1, {});
  EXPECT_FALSE(nothing.others_cores || nothing.stolen_cores || nothing.load.before ||
               nothing.runnable.after || nothing.mhz.before);
  write_file(folder.path() / "loadavg", "much\n");
  stat("cpu0 100 0 0 100 0 0 0 0\n");
  EXPECT_FALSE(MachineWatch(folder.path().string(), {0}).end(1, {}).others_cores)
      << "counters that stand still";
}

TEST_F(WatchTest, WaitsNoLongerThanItMay) {
  wait_for_idle_cores(1, 0.01, folder.path().string());
  EXPECT_FALSE(busy_cores_now(folder.path().string()).has_value());
}

class PolicyTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names) ::unsetenv(name);
  }
  void TearDown() override { SetUp(); }
  static constexpr const char* names[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
  TemporaryFolder quiet;
};

TEST_F(PolicyTest, OnlyThreadsWithoutACoreEachGiveWay) {
  const std::string folder = quiet.path().string();
  const int cores = available_cores();
  EXPECT_TRUE(waiting_policy(1, folder).empty());
  EXPECT_TRUE(waiting_policy(cores, folder).empty()) << "the runtime's own, as published";
  EXPECT_THAT(waiting_policy(2 * cores + 1, folder), Contains(Pair("OMP_WAIT_POLICY", "passive")));
}

TEST_F(PolicyTest, TheUsersChoiceWins) {
  const int many = 2 * available_cores() + 1;
  for (const char* name : names) {
    ::setenv(name, "7", 1);
    EXPECT_TRUE(waiting_policy(many, quiet.path().string()).empty()) << name;
    EXPECT_THAT(openmp_environment(), Contains(Pair(name, "7")));
    ::unsetenv(name);
  }
}

}  // namespace
}  // namespace macrobench
