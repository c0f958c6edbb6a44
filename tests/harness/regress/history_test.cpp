// One case over the commits that were measured.

#include "harness/regress/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Machine at_commit(const std::string& commit, bool dirty = false) {
  Machine machine = a_machine();
  machine.block["source"] = {{"commit", commit}, {"dirty", dirty}};
  return machine;
}

Record at_time(const std::string& time, const Machine& machine, std::vector<double> solutions) {
  Record record = a_record();
  record.machine = machine.id();
  record.time = time;
  record.samples = {{0, solutions.front(), std::move(solutions), {}}};
  return record;
}

/// Three commits, the second slower, the third wrong; the lines in another order than the times.
Results three_commits() {
  const Machine first = at_commit("1111111111aaaa");
  const Machine second = at_commit("2222222222bbbb", true);
  const Machine third = at_commit("3333333333cccc");
  Results results;
  for (const Machine& machine : {first, second, third}) results.machines[machine.id()] = machine;
  results.records = {at_time("2026-11-02T10:00:00Z", second, {1.10, 1.11, 1.12, 1.13, 1.14}),
                     at_time("2026-11-01T10:00:00Z", first, {1.00, 1.01, 1.02, 1.01, 1.00}),
                     at_time("2026-11-03T10:00:00Z", third, {0.1})};
  results.records[2].status = Status::invalid;
  results.records[2].why = "not converged";
  results.records.push_back(results.records[0]);
  results.records.back().key = "fake/plain size=2";
  return results;
}

History of(const Results& results) {
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  EXPECT_THAT(histories, SizeIs(1));
  compare_steps(histories.at(0), {});
  return histories.at(0);
}

TEST(History, ComparesEachStepWithTheOneBefore) {
  const History history = of(three_commits());
  ASSERT_THAT(history.steps, SizeIs(3));
  EXPECT_EQ(history.steps[0].commit, "1111111111aaaa");
  EXPECT_FALSE(history.steps[0].verdict);
  EXPECT_EQ(history.steps[1].commit, "2222222222bbbb");
  EXPECT_TRUE(history.steps[1].dirty);
  EXPECT_NEAR(*history.steps[1].ratio, 1.12 / 1.01, 1e-12);
  EXPECT_EQ(history.steps[1].verdict, Verdict::slower);
  EXPECT_EQ(history.steps[2].status, Status::invalid);
  EXPECT_TRUE(history.steps[2].seconds.empty());
  EXPECT_FALSE(history.steps[2].ratio);
}

TEST(History, TheStepAfterAnInvalidOneIsComparedWithTheLastValidOne) {
  Results results = three_commits();
  results.records.push_back(
      at_time("2026-11-04T10:00:00Z", at_commit("1111111111aaaa"), {1.00, 1.01, 1.02}));
  const History history = of(results);
  EXPECT_NEAR(*history.steps.at(3).ratio, 1.01 / 1.12, 1e-12);
  EXPECT_FALSE(history.steps[3].verdict) << "three solutions are too few";
}

TEST(History, MachinesThatCannotBeComparedStandApart) {
  Results results = three_commits();
  const Machine other = a_machine(4);
  results.machines[other.id()] = other;
  results.records[1].machine = other.id();
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  EXPECT_THAT(histories, SizeIs(2));
}

std::string text_of(const History& history) {
  return to_text(document_of(std::vector<History>{history}), 200);
}

TEST(History, AsATableWithAPlot) {
  const std::string text = text_of(of(three_commits()));
  EXPECT_THAT(text, HasSubstr("2026-11-01T10:00:00Z  11111111 "));
  EXPECT_THAT(text, HasSubstr("22222222+"));
  EXPECT_THAT(text, HasSubstr("+10.9% slower"));
  EXPECT_THAT(text, HasSubstr("invalid: not converged\n"));
  EXPECT_THAT(text, HasSubstr("●"));
  EXPECT_THAT(text, Not(HasSubstr("100 ms"))) << "no time stands beside what is not valid";
}

TEST(History, AsCsvAndJson) {
  Results results = three_commits();
  results.records[2].why = "says \"no\", twice";
  const std::vector<History> histories{of(results)};
  const std::string csv = to_csv(histories);
  EXPECT_THAT(csv, HasSubstr(",2222222222bbbb,true,measured,,1.12,"));
  EXPECT_THAT(csv, HasSubstr(",invalid,\"says \"\"no\"\", twice\",,,0,,,,\n"));
  const auto json = nlohmann::json::parse(to_json(histories).dump());
  EXPECT_EQ(json["schema"], 1);
  const auto& steps = json["histories"][0]["steps"];
  EXPECT_EQ(steps[1]["verdict"], "slower");
  EXPECT_EQ(steps[1]["seconds"].size(), 5);
  EXPECT_EQ(steps[2]["median_seconds"], nullptr);
  EXPECT_EQ(steps[2]["why"], "says \"no\", twice");
}

TEST(History, TimesAtTheEndsOfWhatANumberHoldsFitThePlot) {
  Results results = three_commits();
  results.records[0].samples[0].solutions = {0, 0, 5e-324};
  results.records[1].samples[0].solutions = {1.7e308, 1.7e308};
  EXPECT_LT(text_of(of(results)).size(), 1000U);
}

TEST(History, OfRecordsWithoutAMachine) {
  Results results = three_commits();
  results.machines.clear();
  std::vector<History> histories;
  add_history(histories, results, "fake/plain size=1");
  ASSERT_FALSE(histories.empty());
  for (History& history : histories) {
    compare_steps(history, {});
    EXPECT_THAT(text_of(history), HasSubstr("?"));
  }
}

}  // namespace
}  // namespace macrobench
