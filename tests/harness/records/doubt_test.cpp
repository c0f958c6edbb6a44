// When the time of a right result is not believed, in forged records.

#include "harness/records/doubt.hpp"

#include <string>

#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// A case of 1 s on a machine with four cores.
Record on_four_cores(int threads, double others, double stolen = 0) {
  Record record = a_record();
  record.seconds = 1;
  record.conditions.emplace();
  record.conditions->cores = 4;
  record.conditions->threads = threads;
  record.conditions->others_cores = others;
  record.conditions->stolen_cores = stolen;
  return record;
}

TEST(DoubtedTimes, AreCountedByWhy) {
  DoubtedTimes times;
  for (const Status status : {Status::measured, Status::invalid, Status::implausible}) {
    times.add(status);
  }
  EXPECT_EQ(times.all(), 0);
  EXPECT_EQ(to_string(times), "");
  times.add(Status::noisy);
  EXPECT_EQ(to_string(times), "the machine was busy: 1 time is noisy");
  times += DoubtedTimes{.noisy = 1, .throttled = 1};
  EXPECT_EQ(
      to_string(times),
      "the machine was busy: 2 times are noisy; the GPU was slowed down: 1 time is throttled");
}

Record with_solutions(std::vector<double> seconds) {
  Record record = a_record();
  record.samples = {{0, 0.5, std::move(seconds), {}}};
  record.floor.reset();
  return record;
}

/// A record on these threads, with these seconds a solution.
Record threaded(std::int64_t threads, double seconds) {
  Record record = with_solutions({seconds});
  record.parameters.set("threads", threads);
  record.key += " threads=" + std::to_string(threads);
  return record;
}

TEST(Doubt, ProcessesHaveAThreadEach) {
  EXPECT_EQ(threads_of({}), 1);
  EXPECT_EQ(threads_of({{"threads", 3}}), 3);
  EXPECT_EQ(threads_of({{"processes", 5}}), 5);
}

TEST(Doubt, OthersMayUseTheCoresThatACaseLeaves) {
  EXPECT_EQ(why_noisy(on_four_cores(1, 3)), Reason());
  EXPECT_EQ(why_noisy(on_four_cores(1, 3.05)), Reason());
  EXPECT_EQ(why_noisy(on_four_cores(1, 3.5)).clause, "others used the cores that it needs");
  EXPECT_EQ(why_noisy(on_four_cores(1, 3.5)).detail, "3.5 of 4, of which it needs 1");
  EXPECT_EQ(why_noisy(on_four_cores(3, 1.2)), Reason());
  EXPECT_FALSE(why_noisy(on_four_cores(3, 1.4)).empty());
  EXPECT_FALSE(why_noisy(on_four_cores(4, 0.5)).empty());
  EXPECT_FALSE(why_noisy(on_four_cores(16, 0.5)).empty()) << "more threads than cores";
  EXPECT_EQ(why_noisy(on_four_cores(16, 0)), Reason());
}

TEST(Doubt, TheHypervisorMayTakeLittle) {
  EXPECT_EQ(why_noisy(on_four_cores(4, 0, 0.1)), Reason());
  EXPECT_EQ(why_noisy(on_four_cores(4, 0, 0.3)).clause, "the hypervisor took the cores away");
}

/// For one second on four cores with this quota, of which the case was held back for so long.
Reason under_quota(std::int64_t threads, double cores, double throttled) {
  Record record = on_four_cores(static_cast<int>(threads), 0);
  record.seconds = 1;
  record.conditions->quota = MetQuota{.cores = cores, .throttled_seconds = throttled};
  return why_noisy(record);
}

TEST(Doubt, AQuotaMayHoldACaseBackForATenth) {
  EXPECT_EQ(under_quota(1, .2, .8).clause, "a quota on CPU time held it back");
  EXPECT_EQ(under_quota(1, .2, .8).detail, "for 800 ms, at 0.2 cores");
  EXPECT_EQ(under_quota(1, 1, .09), Reason());
  EXPECT_EQ(under_quota(4, 3.8, .3), Reason());
  EXPECT_FALSE(under_quota(4, 2, 2).empty());
}

TEST(Doubt, AThreadThatIsReadyMayBeKeptOffForATenth) {
  Record record = with_solutions({0.5, 0.5, 0.5});  // and a first one of 0.5
  record.samples[0].kept_off = 0.19;
  EXPECT_EQ(why_noisy(record), Reason());
  record.samples[0].kept_off = 0.5;
  EXPECT_EQ(why_noisy(record).clause, "it was kept off the CPU");
  EXPECT_EQ(why_noisy(record).detail, "for 500 ms of 2 s");
  const Record back = record_from_json(nlohmann::json(to_json(record)));
  EXPECT_EQ(back.samples.at(0).kept_off, 0.5);
  record.samples = {{0, 0.02, {0.02}, {}}};
  record.samples[0].kept_off = 0.03;
  EXPECT_EQ(why_noisy(record), Reason()) << "a few ticks";
}

TEST(Doubt, AFewTicksAreNotToldFromNone) {
  Record record = on_four_cores(1, 3.5, 0.5);
  record.seconds = 0.05;
  EXPECT_EQ(why_noisy(record), Reason());
}

TEST(Doubt, WhatTheKernelDoesNotSayIsNoDoubt) {
  Record record = a_record();
  EXPECT_EQ(why_noisy(record), Reason());
  record.conditions.emplace();
  EXPECT_EQ(why_noisy(record), Reason());
}

TEST(Doubt, AWildSpreadIsNoise) {
  EXPECT_EQ(why_noisy(with_solutions({1, 1.1, 0.9, 1})), Reason());
  const Reason wild = why_noisy(with_solutions({1, 2, 4, 0.5}));
  EXPECT_EQ(wild.clause, "its solutions differ too much in time");
  EXPECT_EQ(why_noisy(with_solutions({1e-3, 2e-3, 4e-3, 0.5e-3})), Reason()) << "milliseconds";
  EXPECT_EQ(why_noisy(with_solutions({1, 2})), Reason()) << "two are no spread";
  // The first solution of the process, here 0.5 s, is cold, and one that was interrupted is one.
  EXPECT_EQ(why_noisy(with_solutions({0.02, 0.02, 0.02, 3})), Reason());
}

TEST(Doubt, AGpuThatIsHeldDownMostOfTheTimeIsThrottled) {
  Record record = a_record();
  record.samples = {{.start = 1, .first_solution = 2, .solutions = {3, 4}, .stages = {}}};
  record.samples[0].gpu = GpuConditions{.reasons = {"hw_thermal_slowdown"}, .throttled = {0}};
  judge_time(record, a_machine());
  EXPECT_EQ(record.status, Status::measured);
  record.samples[0].gpu->throttled = {0, 2};
  judge_time(record, a_machine());
  EXPECT_EQ(record.status, Status::throttled);
  EXPECT_EQ(to_string(record.why), "the GPU's clocks were held down (hw_thermal_slowdown)");
}

TEST(Doubt, ThreadsMustNotBeMuchSlowerThanOne) {
  const Record one = threaded(1, 0.1);
  EXPECT_EQ(why_slower_than_one(threaded(4, 0.19), one), Reason());
  EXPECT_EQ(why_slower_than_one(threaded(4, 0.25), one).clause, "slower than with one thread");
  EXPECT_EQ(why_slower_than_one(threaded(4, 0.25), one).detail, "250 ms against 100 ms");
  EXPECT_EQ(why_slower_than_one(threaded(4, 0.005), threaded(1, 0.001)), Reason())
      << "too short for threads to pay";
  Record other = threaded(4, 0.25);
  other.campaign = "another";
  EXPECT_EQ(why_slower_than_one(other, one), Reason());
  other = threaded(4, 0.25);
  other.parameters.set("size", std::int64_t{2});
  EXPECT_EQ(why_slower_than_one(other, one), Reason());
  other = threaded(4, 0.25);
  other.conditions.emplace();
  other.conditions->cores = 2;
  EXPECT_EQ(why_slower_than_one(other, one), Reason()) << "more threads than cores";
}

TEST(Doubt, OneThreadMakesThoseOfSeveralNoisyInWhateverOrder) {
  const std::vector<Record> after = made_noisy_by(threaded(4, 0.25), {threaded(1, 0.1)});
  ASSERT_THAT(after, SizeIs(1));
  EXPECT_EQ(after[0].status, Status::noisy);
  EXPECT_EQ(after[0].key, threaded(4, 0.25).key);
  const std::vector<Record> before =
      made_noisy_by(threaded(1, 0.1), {threaded(4, 0.25), threaded(2, 0.15), threaded(2, 0.3)});
  EXPECT_THAT(before, SizeIs(2));
  EXPECT_THAT(made_noisy_by(threaded(1, 0.1), {threaded(2, 0.3), threaded(2, 0.15)}), IsEmpty())
      << "the newest of a case counts";
  EXPECT_THAT(made_noisy_by(threaded(1, 0.1), {threaded(1, 0.3)}), IsEmpty());
}

TEST(Doubt, NoMachineIsFasterThanAFloorAllows) {
  Record record = with_solutions({1e-3, 2e-3});
  const Machine machine = a_machine();
  EXPECT_EQ(why_implausible(record, machine), Reason()) << "no floor is known";
  const PhysicalLimits limits = limits_of_cores(1, false);
  record.floor = Floor{.operations = 1e-3 * limits.operations};
  EXPECT_EQ(why_implausible(record, machine), Reason());
  record.floor->operations *= 2 * floor_margin;
  EXPECT_EQ(why_implausible(record, machine).clause, "faster than any such machine");
  record.parameters.set("threads", std::int64_t{2});
  EXPECT_EQ(why_implausible(record, machine).empty(), machine.cores() >= 2);
  record.parameters.set("threads", std::int64_t{1});
  EXPECT_EQ(limits_of_gpus(2, machine).bytes, 2 * limits_of_gpus(1, machine).bytes);
  EXPECT_EQ(limits_of_gpus(2, machine).operations, 2 * limits_of_gpus(1, machine).operations);
  record.parameters.set("real", std::string("single"));
  EXPECT_EQ(why_implausible(record, machine), Reason()) << "twice as many are possible";
  record.floor = Floor{.bytes = 2 * floor_margin * 1e-3 * limits.bytes};
  EXPECT_FALSE(why_implausible(record, machine).empty());
  record.on_gpu = true;
  EXPECT_EQ(why_implausible(record, machine), Reason()) << "a GPU of which nothing is known";
  Machine odd = machine;
  odd.block["gpu"] = {{"highest_sm_mhz", 5e-324}, {"multiprocessors", 0.5}};
  EXPECT_EQ(why_implausible(record, odd), Reason()) << "no GPU's clock or size";
}

TEST(Doubt, AFloorOfStagesCountsTheirTime) {
  Record record = with_solutions({1e-3});
  record.samples[0].first_solution = 1e-3;
  record.samples[0].stages = {{"policy", {5e-4, 5e-4}}, {"panel", {1e-4, 1e-4}}};
  record.floor = Floor{.operations = 1e-3 * limits_of_cores(1, false).operations,
                       .stages = {"policy", "panel"}};
  EXPECT_FALSE(why_implausible(record, a_machine()).empty());
  record.samples[0].stages["panel"] = {9e-4, 9e-4};
  EXPECT_EQ(why_implausible(record, a_machine()), Reason());
  record.samples[0].stages.erase("panel");
  EXPECT_EQ(why_implausible(record, a_machine()), Reason()) << "the whole of it took long enough";
  record.samples[0].solutions = {5e-4};
  EXPECT_FALSE(why_implausible(record, a_machine()).empty()) << "a part takes no longer";
}

TEST(Doubt, ATimeOfAStrangersFileThatNoMachineReachesIsNotBelieved) {
  const TemporaryFolder folder;
  Record forged = a_record();
  forged.samples = {{0, 1e-12, {1e-12}, {{"policy", {1e-12, 1e-12}}}}};
  RecordStore(folder.path()).append(forged, a_machine());
  const Results results = read_results(folder.path());
  ASSERT_THAT(results.records, SizeIs(1));
  EXPECT_EQ(results.records[0].status, Status::implausible);
  EXPECT_THAT(to_string(results.records[0].why), HasSubstr("faster than any such machine"));
}

TEST(Doubt, LeavesEveryOtherStatus) {
  Record record = on_four_cores(4, 4);
  record.status = Status::invalid;
  judge_time(record, a_machine());
  EXPECT_EQ(record.status, Status::invalid);
  record.status = Status::measured;
  judge_time(record, a_machine());
  EXPECT_EQ(record.status, Status::noisy);
}

TEST(Doubt, ADoubtedRecordDoesNotStandForABelievedOne) {
  Record believed = a_record();
  Record doubted = a_record();
  doubted.status = Status::noisy;
  EXPECT_FALSE(replaces(doubted, believed));
  EXPECT_TRUE(replaces(believed, doubted));
  EXPECT_TRUE(replaces(doubted, doubted));
  believed.status = Status::invalid;
  EXPECT_TRUE(replaces(doubted, believed));
}

TEST(Doubt, CountsOnlyWhereItIsStrict) {
  for (const Status status : {Status::noisy, Status::throttled, Status::implausible}) {
    Record record = a_record();
    record.status = status;
    EXPECT_EQ(verdict(record, false), ExitCode::ok);
    EXPECT_EQ(verdict(record, true), ExitCode::failed);
  }
}

}  // namespace
}  // namespace macrobench
