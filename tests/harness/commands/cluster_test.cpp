// A plan in parts and their merge, as a user calls them.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "tests/executable.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ClusterTest : public testing::Test {
 protected:
  [[nodiscard]] std::string results() const {
    return " --results " + (folder.path() / "results").string();
  }

  [[nodiscard]] json rows_of_plan(const std::string& arguments) const {
    return json_of(arguments + results())["tables"]["plan"]["rows"];
  }

  TemporaryFolder folder;
  const EnvironmentScope unmeasured = without_speeds();
};

TEST_F(ClusterTest, PartsAreMergedIntoWhatTheWholeSweepIs) {
  const std::string sweep = "sweep newton --implementations serial --n 256..2048";
  for (const char* part : {"1/3", "3/3"}) {
    EXPECT_THAT(
        macrobench(sweep + " --part " + part + results()),
        Answers(0, AllOf(HasSubstr(fmt::format("Part {}: ", part)),
                         HasSubstr("When all parts have ended: macrobench merge" + results()))));
  }
  const fs::path machine = *fs::directory_iterator(folder.path() / "results");
  EXPECT_THAT(macrobench("tables --results " + machine.string()),
              Answers(2, HasSubstr("its parts are not merged yet: macrobench merge")));
  EXPECT_EQ(macrobench("merge" + results()).code, 0);
  EXPECT_EQ(macrobench(sweep + " --part 2/3" + results()).code, 0);
  const Answer merged = macrobench("merge --json" + results());
  ASSERT_EQ(merged.code, 0) << merged.output;
  const json shards = json::parse(merged.output).at("shards");
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[0]["new_records"], 0);
  EXPECT_GT(shards[1]["new_records"], 0);
  const json whole = json_of(sweep + " --json" + results(), "2>/dev/null");
  EXPECT_EQ(whole.size(), 4u);
  const std::vector<fs::path> machines = machine_folders_in(folder.path() / "results");
  ASSERT_EQ(machines.size(), 1u) << "shards are not machines";
  EXPECT_EQ(read_results(machines[0]).records.size(), 4u) << "nothing was run again";
}

TEST_F(ClusterTest, APartsPlanIsShownWithoutARun) {
  std::size_t cases = 0;
  for (int part = 1; part <= 3; ++part) {
    const Answer answer =
        macrobench(fmt::format("sweep newton --n 128..512 --dry-run --json --part {}/3", part));
    ASSERT_EQ(answer.code, 0) << answer.output;
    cases += json::parse(answer.output).size();
  }
  const json whole = json_of("sweep newton --n 128..512 --dry-run --json");
  EXPECT_EQ(cases, whole.size());
  const std::string replicate = "replicate aldrich_2014/table_4 --dry-run --json";
  cases = 0;
  for (const char* part : {" --part 1/2", " --part 2/2"}) {
    cases += rows_of_plan(replicate + part).size();
  }
  const json all = rows_of_plan(replicate);
  EXPECT_GT(cases, 0u);
  EXPECT_LE(cases, all.size()) << "what this build leaves out belongs to no part";
}

TEST_F(ClusterTest, AReplicationsPartIsShort) {
  const Answer answer = macrobench(
      "replicate cheela_2024/table_3 --budget 1s --part 1/200" + results(), "2>/dev/null");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("Part 1/200:"), HasSubstr("macrobench merge")));
  EXPECT_THAT(answer.output, Not(HasSubstr("Claims")));
}

TEST_F(ClusterTest, WhatIsWrongIsOneSentence) {
  for (const char* part : {"9/8", "0/3", "x"}) {
    expect_usage_error(fmt::format("sweep newton --part {}", part), "10,000 parts");
    expect_usage_error(fmt::format("replicate --part {}", part), "10,000 parts");
  }
  expect_usage_error("merge --results " + folder.path().string(), "there are no shards in it");
  EXPECT_THAT(macrobench("merge '\x1b[31m'").output, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace macrobench
