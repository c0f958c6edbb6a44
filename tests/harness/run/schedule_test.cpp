#include "harness/run/schedule.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "harness/files/digest.hpp"
#include "harness/process/process.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/sources/source_digest.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using testing::Field;

class ScheduleTest : public testing::Test {
 protected:
  ScheduleTest() {
    options.run.child_command = test_child({"child"});
    options.run.sampling.minimum = 2;
    options.run.sampling.seconds = 0.05;
    progress.begins = [this](const Case& which, int, int, double) { began.push_back(which.key()); };
    progress.says = [this](const std::string& sentence) { said.push_back(sentence); };
    progress.ended = [this](const ScheduledCase&, int done, int total) {
      EXPECT_EQ(done, ++ended);
      EXPECT_LE(done, total);
    };
  }

  std::vector<ScheduledCase> run(const std::vector<Case>& cases) {
    began.clear();
    said.clear();
    ended = 0;
    auto scheduled = run_schedule(cases, store, machine, options, progress);
    // Neither what was kept from before nor what cannot run here is counted.
    EXPECT_EQ(ended, std::ranges::count_if(scheduled, [](const ScheduledCase& one) {
                return one.record ? !one.reused : one.which.unavailable().empty();
              }));
    return scheduled;
  }

  /// As if the case had been run before: a solution of `seconds`.
  void remember(const Case& which, double seconds, Status status = Status::measured) {
    Record record = a_record(which.key());
    record.model = which.implementation->model;
    record.implementation = which.implementation->name;
    record.parameters = which.parameters;
    record.work =
        Registry::global().model(record.model).work_of(record.implementation, record.parameters);
    record.source = source_digest(*which.implementation);
    record.machine = machine.id();
    record.status = status;
    record.samples = {{0, seconds, {}, {}}};
    record.seconds = seconds;
    if (status != Status::measured) record.why = "a reason";
    if (status == Status::failed || status == Status::timeout) {
      record.samples.clear();
      record.outcome.reset();
    }
    add_facts(record);
    store.append(record, machine);
  }

  static Case plain(std::int64_t size, double pace = 0, const std::string& behaviour = "fine") {
    return fake_case("plain", {{"size", size}, {"pace", pace}, {"behaviour", behaviour}});
  }

  TemporaryFolder folder;
  RecordStore store{folder.path()};
  Machine machine = a_machine();
  ScheduleOptions options;
  Progress progress;
  std::vector<std::string> began;
  std::vector<std::string> said;
  int ended = 0;
};

TEST_F(ScheduleTest, RunsASeriesInGrowingOrderAndEachCaseOnce) {
  const auto scheduled = run({plain(4), plain(1), plain(2), plain(1)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=1", "fake/plain size=2", "fake/plain size=4"));
  ASSERT_THAT(scheduled, SizeIs(3));
  EXPECT_EQ(scheduled[0].which.key(), "fake/plain size=4");
  for (const ScheduledCase& one : scheduled) {
    ASSERT_TRUE(one.record.has_value());
    EXPECT_EQ(one.record->status, Status::measured);
    EXPECT_EQ(one.record->key, one.which.key());
    EXPECT_FALSE(one.reused);
  }
  EXPECT_TRUE(std::isnan(scheduled[1].predicted_seconds));
  EXPECT_FALSE(std::isnan(scheduled[0].predicted_seconds));
  EXPECT_THAT(store.results().records, SizeIs(3));
}

TEST_F(ScheduleTest, TakesTheCheapestSeriesFirst) {
  remember(plain(1, 6e-2), 6e-2);
  remember(plain(1, 3e-2), 3e-2);
  remember(plain(1, 1e-4), 1e-4);
  run({plain(2, 6e-2), plain(2, 1e-4), plain(2, 3e-2)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=2 pace=0.0001", "fake/plain size=2 pace=0.03",
                                 "fake/plain size=2 pace=0.06"));
}

TEST_F(ScheduleTest, AnUnknownSeriesOfLargeSizesWaitsForItsTurn) {
  remember(plain(1, 1e-4), 1e-4);
  run({plain(4000, 2e-5), plain(2, 1e-4), plain(4, 1e-4)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=2 pace=0.0001", "fake/plain size=4 pace=0.0001",
                                 "fake/plain size=4000 pace=2e-05"));
}

TEST_F(ScheduleTest, ReusesWhatMayStandForARun) {
  run({plain(1)});
  auto scheduled = run({plain(1), plain(2)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=2"));
  EXPECT_TRUE(scheduled[0].reused);
  EXPECT_TRUE(scheduled[0].record.has_value());
  options.fresh = true;
  EXPECT_FALSE(run({plain(1)})[0].reused);
  options.fresh = false;
  machine = a_machine(64);
  EXPECT_FALSE(run({plain(1)})[0].reused);
}

TEST_F(ScheduleTest, ReusesNothingOfAnotherMachineOfItsKind) {
  machine = identified("a");
  EXPECT_FALSE(run({plain(1)})[0].reused);
  machine.block["source"]["commit"] = "another";
  EXPECT_TRUE(run({plain(1)})[0].reused) << "another environment of the same machine";
  machine = identified("b");
  EXPECT_FALSE(run({plain(1)})[0].reused);
  // Of version 0.1.0.
  machine = a_machine();
  EXPECT_FALSE(run({plain(2)})[0].reused);
  machine = identified("c");
  EXPECT_TRUE(run({plain(2)})[0].reused);
}

TEST_F(ScheduleTest, SaysHowManyOfTheCasesWillRun) {
  run({plain(1)});
  EXPECT_THAT(said, IsEmpty());
  run({plain(1), plain(2), fake_case("absent", {})});
  EXPECT_THAT(said, ElementsAre("3 cases: 1 to run, 1 kept from before, 1 that cannot run."));
}

TEST_F(ScheduleTest, ARecordWithoutEnergyDoesNotStandForOneWithIt) {
  run({plain(1)});
  options.run.energy = true;
  EXPECT_FALSE(run({plain(1)})[0].reused);
  EXPECT_TRUE(run({plain(1)})[0].reused) << "it has energy now, or says why there is none";
  options.run.energy = false;
  EXPECT_TRUE(run({plain(1)})[0].reused);
}

TEST_F(ScheduleTest, AChangeThatDoesNotMatterKeepsRecords) {
  remember(plain(1), 1e-3);
  machine.block["kernel"] = "Linux 7";
  ASSERT_NE(machine.id(), a_machine().id());
  EXPECT_TRUE(run({plain(1)})[0].reused);
}

TEST_F(ScheduleTest, OtherSourcesAreHistory) {
  Record record = a_record(plain(1).key());
  record.source = sha256("as it was before");
  store.append(record, machine);
  EXPECT_EQ(reusable_record(store.results(), plain(1), machine, options), nullptr);
  EXPECT_FALSE(run({plain(1)})[0].reused);
}

TEST_F(ScheduleTest, TheNewestRecordStands) {
  remember(plain(1), 1.0);
  remember(plain(1), 2.0);
  const Record* record = reusable_record(store.results(), plain(1), machine, options);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->seconds, 2.0);
  options.run.energy = true;
  EXPECT_EQ(reusable_record(store.results(), plain(1), machine, options), nullptr)
      << "its joules are not known";
}

TEST_F(ScheduleTest, FailuresAreTriedAgainAndTimeoutsWithMoreTime) {
  remember(plain(1), 0.1, Status::failed);
  remember(plain(2), 600, Status::timeout);
  options.run.deadline = 600;
  auto scheduled = run({plain(1), plain(2)});
  EXPECT_FALSE(scheduled[0].reused);
  EXPECT_TRUE(scheduled[1].reused);
  options.run.deadline = 1200;
  EXPECT_FALSE(run({plain(2)})[0].reused);
}

TEST_F(ScheduleTest, TimesThatAreNotBelievedAreTakenAgainAndPredictNothing) {
  remember(plain(1), 600, Status::noisy);
  remember(plain(2), 600, Status::throttled);
  remember(plain(3), 600, Status::implausible);
  options.budget = 60;
  const auto scheduled = run({plain(1), plain(2), plain(3)});
  EXPECT_THAT(began, SizeIs(3));
  for (const ScheduledCase& one : scheduled) EXPECT_FALSE(one.reused);
  EXPECT_TRUE(std::isnan(scheduled[0].predicted_seconds));
}

TEST_F(ScheduleTest, ABelievedRecordIsReusedWhateverCameAfterIt) {
  remember(plain(1), 0.1);
  remember(plain(1), 600, Status::noisy);
  const auto scheduled = run({plain(1)});
  EXPECT_TRUE(scheduled[0].reused);
  EXPECT_EQ(scheduled[0].record->status, Status::measured);
}

TEST_F(ScheduleTest, ABudgetCountsDownWhileNothingIsKnown) {
  std::vector<double> etas;
  progress.begins = [&](const Case&, int, int, double eta) { etas.push_back(eta); };
  run({plain(1)});
  options.budget = 60;
  run({plain(2, 1e-4)});
  EXPECT_THAT(etas, ElementsAre(0, AllOf(testing::Gt(50), testing::Le(60))));
}

TEST_F(ScheduleTest, WhatCannotRunHereSaysWhy) {
  const auto scheduled = run({fake_case("absent", {}), plain(1)});
  EXPECT_FALSE(scheduled[0].record.has_value());
  EXPECT_EQ(scheduled[0].why_not, "no such device here");
  EXPECT_TRUE(scheduled[1].record.has_value());
}

TEST_F(ScheduleTest, OneBadCaseDoesNotEndTheSeries) {
  const auto scheduled =
      run({plain(1, 0, "crash"), plain(2, 0, "crash"), plain(1, 0, "invalid"), plain(1)});
  EXPECT_EQ(scheduled[0].record->status, Status::failed);
  EXPECT_EQ(scheduled[1].record->status, Status::failed);
  EXPECT_EQ(scheduled[2].record->status, Status::invalid);
  EXPECT_EQ(scheduled[3].record->status, Status::measured);
}

TEST_F(ScheduleTest, LargerOnesThanATimeoutAreNotRun) {
  options.run.deadline = 0.3;
  const auto scheduled = run({plain(1, 0, "hang"), plain(2, 0, "hang"), plain(1)});
  EXPECT_EQ(scheduled[0].record->status, Status::timeout);
  EXPECT_FALSE(scheduled[1].record.has_value());
  EXPECT_EQ(scheduled[1].why_not, "a smaller size already timed out");
  EXPECT_TRUE(scheduled[2].record.has_value());
}

TEST_F(ScheduleTest, WhatDoesNotFitTheBudgetIsNotRun) {
  for (const std::int64_t size : {1, 2, 4})
    remember(plain(size, 1), 1.0 * static_cast<double>(size));
  options.budget = 5;
  const auto scheduled = run({plain(1024, 1), plain(2048, 1), plain(1)});
  EXPECT_THAT(to_string(scheduled[0].why_not), "over the budget (predicted 17 min 4 s)");
  EXPECT_NEAR(scheduled[0].predicted_seconds, 1024, 1);
  EXPECT_THAT(to_string(scheduled[1].why_not), HasSubstr("over the budget (predicted 34 min"));
  EXPECT_TRUE(scheduled[2].record.has_value());
}

TEST_F(ScheduleTest, PredictsByTheModelsWorkWhereThatIsNotTheSize) {
  const auto doubling = [](std::int64_t size) { return fake_case("doubling", {{"size", size}}); };
  for (const std::int64_t size : {4, 5, 6}) remember(doubling(size), std::exp2(size));
  options.budget = 5;
  const auto scheduled = run({doubling(20)});
  EXPECT_NEAR(scheduled[0].predicted_seconds, std::exp2(20), 1e3);
}

TEST_F(ScheduleTest, PredictsAlongEveryAxisThatTheWorkAccountsFor) {
  const auto rounds = [](std::int64_t size, std::int64_t count) {
    return fake_case("plain", {{"size", size}, {"rounds", count}});
  };
  remember(rounds(2, 1), 2);
  remember(rounds(2, 3), 6);
  remember(rounds(4, 5), 20);
  options.budget = 5;
  const auto scheduled = run({rounds(10, 100), rounds(50, 10)});
  EXPECT_NEAR(scheduled[0].predicted_seconds, 1000, 10);
  EXPECT_NEAR(scheduled[1].predicted_seconds, 500, 10);
}

TEST_F(ScheduleTest, FewerThanThreeSizesAreAssumedToGrowBadly) {
  const auto silent = [](std::int64_t size) {
    return fake_case("silent/plain", {{"size", size}, {"pace", 1.0}});
  };
  remember(silent(10), 10);
  options.budget = 100;
  const auto scheduled = run({silent(100)});
  EXPECT_NEAR(scheduled[0].predicted_seconds, 1000, 1e-6);
  EXPECT_THAT(to_string(scheduled[0].why_not), HasSubstr("over the budget"));
}

TEST_F(ScheduleTest, FewerThanThreeSizesAreAssumedToGrowAsTheirWork) {
  remember(plain(10, 1), 10);
  options.budget = 50;
  EXPECT_NEAR(run({plain(100, 1)})[0].predicted_seconds, 100, 1e-6);
}

TEST_F(ScheduleTest, WhatIsKnownToMissItsDeadlineIsNotRun) {
  for (const std::int64_t size : {1, 2, 4})
    remember(plain(size, 1), 1.0 * static_cast<double>(size));
  options.run.deadline = 60;
  EXPECT_EQ(run({plain(1024, 1)})[0].why_not,
            Reason("over the deadline of 1 min", "predicted 17 min 4 s"));
}

TEST_F(ScheduleTest, TheBudgetEndsACaseOfUnknownLength) {
  options.budget = 0.3;
  const auto begin = std::chrono::steady_clock::now();
  const auto scheduled = run({plain(1, 0, "hang"), plain(2, 0, "hang")});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 5);
  EXPECT_EQ(scheduled[0].why_not.clause, "over the budget");
  EXPECT_THAT(scheduled[0].why_not.detail, StartsWith("unfinished in the "));
  EXPECT_THAT(to_string(scheduled[1].why_not), HasSubstr("over the budget"));
  EXPECT_THAT(store.results().records, Each(Field(&Record::status, Status::not_run)));
}

TEST_F(ScheduleTest, ACaseThatCannotRunHereKeepsNoOtherFromRunning) {
  const auto scheduled = run({plain(1, 0, "elsewhere"), plain(1)});
  EXPECT_EQ(scheduled[0].why_not, "only elsewhere");
  EXPECT_EQ(scheduled[0].which.unavailable(), "only elsewhere");
  EXPECT_EQ(scheduled[1].why_not, "");
  EXPECT_EQ(scheduled[1].which.unavailable(), "");
}

TEST_F(ScheduleTest, WhyACaseWasNotRunIsKeptOnceAndNeverReused) {
  options.budget = 0;
  run({plain(1)});
  run({plain(1)});
  ASSERT_THAT(store.results().records, SizeIs(1));
  const Record& kept = store.results().records.front();
  EXPECT_EQ(kept.status, Status::not_run);
  EXPECT_THAT(to_string(kept.why), HasSubstr("over the budget"));
  EXPECT_EQ(reusable_record(store.results(), plain(1), machine, options), nullptr);
  options.budget = 5;
  EXPECT_FALSE(run({plain(1)})[0].reused);
  EXPECT_EQ(store.results().records.back().status, Status::measured);
  EXPECT_TRUE(run({plain(1)})[0].reused);
}

TEST_F(ScheduleTest, CasesOfAGroupRunOneAfterAnother) {
  for (const double pace : {1e-4, 2e-4, 3e-4}) remember(plain(1, pace), pace);
  const auto in_group = [this](const Case& which, const char* group) {
    options.hints[which.key()].group = group;
    return which;
  };
  run({in_group(plain(2, 1e-4), "0"), in_group(plain(2, 2e-4), "1"), in_group(plain(2, 3e-4), "0"),
       in_group(plain(4, 1e-4), "1")});
  EXPECT_THAT(began, ElementsAre("fake/plain size=2 pace=0.0002", "fake/plain size=2 pace=0.0001",
                                 "fake/plain size=4 pace=0.0001", "fake/plain size=2 pace=0.0003"))
      << "group 1 costs less; the smaller case of a series comes first all the same";
}

TEST_F(ScheduleTest, APartnerOverTheBudgetDelaysNoCheapCase) {
  remember(plain(1, 1e-4), 1e-4);
  remember(plain(1, 1e-2), 1e-2);
  remember(plain(1, 30), 30);
  for (const Case& which : {plain(2, 1e-4), plain(2, 30)}) options.hints[which.key()].group = "0";
  options.budget = 20;
  const auto scheduled = run({plain(2, 1e-2), plain(2, 30), plain(2, 1e-4)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=2 pace=0.0001", "fake/plain size=2 pace=0.01"));
  EXPECT_THAT(to_string(scheduled[1].why_not), HasSubstr("over the budget"));
}

TEST_F(ScheduleTest, AtEqualCostPublishedRowsComeBeforeOurs) {
  remember(plain(1, 1.1e-3), 1.1e-3);
  remember(plain(1, 1.2e-3), 1.2e-3);
  remember(plain(1, 1e-2), 1e-2);
  options.hints[plain(1, 1.1e-3).key()].extra = true;
  options.fresh = true;
  run({plain(1, 1.1e-3), plain(1, 1.2e-3), plain(1, 1e-2)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=1 pace=0.0012", "fake/plain size=1 pace=0.0011",
                                 "fake/plain size=1 pace=0.01"));
}

TEST_F(ScheduleTest, WithinABudgetPublishedRowsComeBeforeOurs) {
  std::vector<Case> cases;
  for (const std::int64_t size : {4, 2}) {
    for (const double pace : {1e-4, 2e-2}) cases.push_back(plain(size, pace));
    options.hints[plain(size, 1e-4).key()].extra = true;
  }
  options.budget = 60;
  run(cases);
  EXPECT_THAT(began, ElementsAre("fake/plain size=2 pace=0.02", "fake/plain size=4 pace=0.02",
                                 "fake/plain size=2 pace=0.0001", "fake/plain size=4 pace=0.0001"));
}

TEST_F(ScheduleTest, WithinABudgetNoLongCaseDelaysTheOtherRows) {
  const Case slow = fake_case("doubling", {{"size", 1}});
  options.hints[slow.key()].seconds = 50;
  for (const std::int64_t size : {1, 2, 4}) options.hints[plain(size).key()].seconds = 0.1;
  options.budget = 60;
  run({slow, plain(1), plain(2), plain(4)});
  EXPECT_THAT(began, ElementsAre("fake/plain size=1", "fake/plain size=2", "fake/plain size=4",
                                 slow.key()));
}

TEST_F(ScheduleTest, MovesOnceASecondWithinACase) {
  remember(plain(1, 0.7), 0.7);
  remember(plain(2, 0.7), 1.4);
  options.fresh = true;
  options.run.sampling.minimum = 1;
  options.run.sampling.maximum = 1;
  std::vector<Moment> moments;
  progress.moves = [&](const Case& which, int, int, const Moment& now) {
    EXPECT_EQ(which.key(), plain(3, 0.7).key());
    moments.push_back(now);
  };
  run({plain(3, 0.7)});
  ASSERT_GE(moments.size(), 2U);
  EXPECT_EQ(moments[0].at, "the first solution");
  EXPECT_NEAR(moments[0].elapsed, 1, 0.5);
  EXPECT_LT(moments[1].eta, moments[0].eta);
}

TEST_F(ScheduleTest, EveryRecordNamesItsCampaign) {
  options.run.campaign = "one";
  run({plain(1)});
  options.run.campaign = "two";
  options.budget = 0;
  run({plain(1), plain(2)});
  ASSERT_THAT(store.results().records, SizeIs(2));
  EXPECT_EQ(store.results().records[0].campaign, "one") << "reused by the second";
  EXPECT_EQ(store.results().records[1].campaign, "two") << "it says why it was not run";
}

TEST_F(ScheduleTest, AnotherDetailMakesNoNewReason) {
  options.budget = 0.5;
  remember(plain(1024, 1), 1024);
  run({plain(2048, 1)});
  remember(plain(1024, 1), 512);
  run({plain(2048, 1)});
  const auto reasons =
      std::ranges::count(store.results().records, Status::not_run, &Record::status);
  EXPECT_EQ(reasons, 1);
}

TEST_F(ScheduleTest, NoBudgetRunsNothing) {
  options.budget = 0;
  const auto scheduled = run({plain(1)});
  EXPECT_THAT(began, IsEmpty());
  EXPECT_THAT(to_string(scheduled[0].why_not), HasSubstr("over the budget"));
}

TEST_F(ScheduleTest, WithinTheBudgetTheCheapOnesAllRun) {
  options.budget = 2;
  std::vector<Case> cases;
  for (const double pace : {1e-4, 0.3}) {
    for (std::int64_t size = 1; size <= 32; size *= 2) cases.push_back(plain(size, pace));
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto scheduled = run(cases);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 4);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(scheduled[i].record.has_value()) << i;
  EXPECT_TRUE(scheduled[6].record.has_value());
  EXPECT_FALSE(scheduled[11].record.has_value());
}

TEST_F(ScheduleTest, CallbacksMayBeAbsent) {
  EXPECT_THAT(run_schedule({plain(1)}, store, machine, options, Progress{}), SizeIs(1));
}

TEST(ScheduleResume, KilledAtAnyMomentItKeepsWhatItFinishedAndRunsTheRest) {
  const TemporaryFolder folder;
  const std::vector<std::string> command = test_child({"sweep", folder.path().string()});
  std::mt19937 random(2014);
  std::uniform_real_distribution<double> moment(0.02, 0.12);
  std::size_t kept = 0;
  for (int round = 0; round < 5; ++round) {
    run_process({command.front(), command, "", moment(random)});
    const Results results = read_results(folder.path());
    EXPECT_GE(results.records.size(), kept);
    kept = results.records.size();
  }
  const ProcessResult last = run_process({command.front(), command, "", 60});
  ASSERT_EQ(last.end, ProcessResult::End::exited) << last.output;
  std::size_t reused = 0;
  for (std::size_t at = 0; (at = last.output.find(" kept\n", at)) != std::string::npos; ++at) {
    ++reused;
  }
  EXPECT_EQ(reused, kept);
  const Results results = read_results(folder.path());
  std::set<std::string> keys;
  for (const Record& record : results.records) {
    EXPECT_EQ(record.status, Status::measured) << record.why;
    EXPECT_TRUE(keys.insert(record.key).second) << record.key << " ran twice";
  }
  EXPECT_THAT(keys, SizeIs(12));
}

TEST_F(ScheduleTest, WithinABudgetHeadlinesComeFirst) {
  options.budget = 60;
  std::vector<Case> cases;
  for (const std::int64_t size : {1, 2, 4, 8}) {
    cases.push_back(plain(size));  // cheaper, and no headline
    for (const double pace : {1e-3, 2e-3}) {
      cases.push_back(plain(size, pace));
      options.hints[cases.back().key()].headline = size > 1;
    }
  }
  cases.push_back(plain(100, 2));  // longer than any headline may be
  options.hints[cases.back().key()].headline = true;
  remember(plain(1, 2), 2);
  run(cases);
  const std::string smallest = "fake/plain size=2 pace=0.00",
                    largest = "fake/plain size=8 pace=0.00";
  ASSERT_THAT(began, SizeIs(12));
  EXPECT_THAT(
      std::vector(began.begin(), began.begin() + 4),
      ElementsAre(smallest + "1", smallest + "2", StartsWith(largest), StartsWith(largest)));
}

TEST_F(ScheduleTest, OurFirstHeadlineComesBeforeThePublishedOneWhateverTheyCost) {
  options.budget = 60;
  const Case published = plain(4, 1e-3);
  const Case ours = plain(4, 2e-3);
  for (const Case& which : {published, ours}) options.hints[which.key()].headline = true;
  options.hints[published.key()].seconds = 1e-3;
  options.hints[ours.key()].seconds = 1;  // as published: it is not fast for that reason
  options.hints[ours.key()].extra = true;
  run({published, ours});
  EXPECT_THAT(began, ElementsAre(ours.key(), published.key()));
}

TEST_F(ScheduleTest, CountsTheCasesThatThisBuildLeavesOut) {
  options.others = 1'000;
  run({plain(1, 1e-3)});
  EXPECT_THAT(said, ElementsAre("1,001 cases: 1 to run, 1,000 that cannot run."));
}

}  // namespace
}  // namespace macrobench
