#include "harness/run/machine_watch.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "harness/machine/machine.hpp"
#include "harness/records/doubt.hpp"
#include "tests/harness/fake_counters.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

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

// --- before anything starts --------------------------------------------------------------------

/// "3.8" in "this machine is busy: 3.8 of 2 cores".
double cores_told(const std::string& sentence) {
  const std::string before = "this machine is busy: ";
  EXPECT_THAT(sentence, StartsWith(before));
  return sentence.starts_with(before) ? std::stod(sentence.substr(before.size())) : 0;
}

TEST(WhyBusy, SaysHowManyCoresOthersKeepBusyAndWhatItMeans) {
  const FakeCounters counters(1);
  const int cores = available_cores();
  const std::string why = why_busy(1, counters.folder());
  EXPECT_NEAR(cores_told(why), cores, 0.1 * cores) << why;
  EXPECT_THAT(why, HasSubstr(" of " + std::to_string(cores) + " cores. Times may come out noisy"));
}

TEST(WhyBusy, MoreReadyTasksThanCoresAreCountedWithoutThisOne) {
  const FakeCounters counters(1);
  const int cores = available_cores();
  counters.ready(4 * cores + 1);
  EXPECT_DOUBLE_EQ(cores_told(why_busy(1, counters.folder())), 4 * cores);
  counters.ready(2);
  EXPECT_NEAR(cores_told(why_busy(1, counters.folder())), cores, 0.1 * cores)
      << "no more than busy";
}

TEST(WhyBusy, OfReadyTasksOnlyTheShareOfItsCoresIsCounted) {
  const int cores = available_cores();
  const FakeCounters counters(1, cores);
  counters.ready(6 * cores + 1);
  EXPECT_DOUBLE_EQ(cores_told(why_busy(1, counters.folder())), 3 * cores);
}

TEST(WhyBusy, SaysNothingOfAMachineThatLeavesWhatACaseNeeds) {
  const int cores = available_cores();
  {
    const FakeCounters half(0.5);
    EXPECT_THAT(why_busy(cores, half.folder()), HasSubstr("this machine is busy"));
    if (cores > 1) {
      EXPECT_THAT(why_busy(1, half.folder()), IsEmpty());
    }
  }
  const FakeCounters little(most_disturbed / 2);
  EXPECT_THAT(why_busy(cores, little.folder()), IsEmpty());
  FakeCounters quiet;
  quiet.become_idle();
  quiet.ready(2);
  EXPECT_THAT(why_busy(2 * cores, quiet.folder()), IsEmpty());
}

TEST(WhyBusy, WhatHasJustEndedIsNoReason) {
  FakeCounters counters;
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    counters.become_idle();
  });
  EXPECT_THAT(why_busy(available_cores(), counters.folder()), IsEmpty());
  ends.join();
}

TEST(WhyBusy, WithoutCountersItDoesNotEvenWait) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) EXPECT_THAT(why_busy(1, no_counters), IsEmpty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
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
