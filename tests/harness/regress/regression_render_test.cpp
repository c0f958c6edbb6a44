// What a regression check looks like, in each of its forms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/regress/regression.hpp"
#include "tests/harness/support.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "a <b>&\"'|`*_[x](y)@someone\n\x01 end";

/// One case of each kind that looks different.
Regression example() {
  Regression regression{.base = {"main", "0123456789abcdef0123456789abcdef01234567"},
                        .head = {"this program", ""},
                        .terms = {.pairs = 3},
                        .machine = "amd_epyc_2_cores",
                        .time = "2026-11-20T10:00:00Z",
                        .seconds = 12.5,
                        .cases = {}};
  regression.cases = {{.key = "rbc/serial nk=256",
                       .verdict = Verdict::same,
                       .base = {0.001, 0.002, 0.003},
                       .head = {0.001, 0.002, 0.003},
                       .ratio = 1.0,
                       .interval = ConfidenceInterval{0.99, 1.01}},
                      {.key = "rbc/thrust_omp nk=256",
                       .verdict = Verdict::slower,
                       .base = {0.001, 0.002, 0.003},
                       .head = {0.0011, 0.0022, 0.0033},
                       .ratio = 1.1,
                       .interval = ConfidenceInterval{1.05, 1.15},
                       .alarm = RegressionAlarm{.base = {0.001, 0.002, 0.003},
                                                .head = {0.0012, 0.0024, 0.0036},
                                                .ratio = 1.2,
                                                .interval = {1.1, 1.3}}},
                      {.key = "rbc/serial_tuned nk=256",
                       .verdict = Verdict::ambiguous,
                       .advice = "measure about 81 pairs (--pairs 81)",
                       .base = {0.001, 0.002, 0.003},
                       .head = {0.001, 0.0021, 0.003},
                       .ratio = 1.02,
                       .interval = ConfidenceInterval{0.98, 1.06}},
                      {.key = "newton/serial n=256", .verdict = Verdict::invalid, .why = hostile},
                      {.key = "newton/fresh n=256",
                       .verdict = Verdict::is_new,
                       .why = "there is no newton/fresh in the base"}};
  return regression;
}

TEST(RegressionRender, TextForAPerson) {
  EXPECT_EQ(to_text(document_of(example()), 100),
            content_of(source_folder() + "/tests/harness/regress/golden/regression.txt"));
}

TEST(RegressionRender, Markdown) {
  EXPECT_EQ(to_markdown(document_of(example())),
            content_of(source_folder() + "/tests/harness/regress/golden/regression.md"));
}

TEST(RegressionRender, Junit) {
  EXPECT_EQ(to_junit(example()),
            content_of(source_folder() + "/tests/harness/regress/golden/regression.xml"));
}

TEST(RegressionRender, JunitIsWellFormed) {
  if (std::system("python3 -c 'import xml.dom.minidom' >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 is not here to read the XML";
  }
  const ScratchFolder folder;
  Regression regression = example();
  regression.base.name = hostile;
  for (RegressionCase& one : regression.cases) one.key += "\xff\x02<]]>&";
  write_file(folder.path() / "junit.xml", to_junit(regression));
  const std::string read =
      "python3 -c 'import sys, xml.dom.minidom as m; "
      "m.parse(sys.argv[1])' " +
      (folder.path() / "junit.xml").string();
  EXPECT_EQ(std::system(read.c_str()), 0) << to_junit(regression);
}

TEST(RegressionRender, Json) {
  const auto json = nlohmann::json::parse(to_json(example(), ExitCode::invalid).dump());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["exit_code"], 3);
  EXPECT_EQ(json["base"]["commit"], "0123456789abcdef0123456789abcdef01234567");
  EXPECT_EQ(json["head"]["commit"], nullptr);
  EXPECT_EQ(json["summary"]["slower"], 1);
  EXPECT_EQ(json["summary"]["faster"], 0);
  EXPECT_EQ(json["unit"], "seconds");
  ASSERT_EQ(json["cases"].size(), 5);
  const auto& invalid = json["cases"][0];
  EXPECT_EQ(invalid["verdict"], "invalid");
  EXPECT_EQ(invalid["why"], hostile);
  for (const char* name : {"ratio", "interval", "base", "head"}) EXPECT_EQ(invalid[name], nullptr);
  const auto& slower = json["cases"][1];
  EXPECT_EQ(slower["key"], "rbc/thrust_omp nk=256");
  EXPECT_EQ(slower["ratio"], 1.1);
  EXPECT_EQ(slower["interval"], nlohmann::json({1.05, 1.15}));
  EXPECT_EQ(slower["head"]["samples"], nlohmann::json({0.0011, 0.0022, 0.0033}));
  EXPECT_EQ(slower["head"]["median"], 0.0022);
}

TEST(RegressionRender, GoogleBenchmark) {
  const auto json = nlohmann::json::parse(to_google_benchmark(example()).dump());
  ASSERT_TRUE(json.contains("context"));
  const auto& benchmarks = json["benchmarks"];
  ASSERT_EQ(benchmarks.size(), 3 * 2 * 3) << "three cases have a ratio";
  std::vector<std::string> names;
  for (const auto& one : benchmarks) {
    if (names.empty() || names.back() != one["name"].get<std::string>()) {
      names.push_back(one["name"]);
    }
    for (const char* field :
         {"run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations",
          "real_time", "cpu_time", "time_unit", "family_index", "per_family_instance_index"}) {
      EXPECT_TRUE(one.contains(field)) << field;
    }
  }
  EXPECT_THAT(names, ElementsAre("base/rbc/serial nk=256", "head/rbc/serial nk=256",
                                 "base/rbc/thrust_omp nk=256", "head/rbc/thrust_omp nk=256",
                                 "base/rbc/serial_tuned nk=256", "head/rbc/serial_tuned nk=256"));
  EXPECT_EQ(benchmarks[1]["repetition_index"], 1);
  EXPECT_EQ(benchmarks[1]["real_time"], 2e6);
  EXPECT_EQ(benchmarks[1]["time_unit"], "ns");
  EXPECT_TRUE(json["context"]["not_compared"].contains("newton/serial n=256"));
}

TEST(RegressionRender, InstructionsAreNoSeconds) {
  Regression regression = example();
  regression.terms.instructions = true;
  regression.cases = {{.key = "a",
                       .verdict = Verdict::slower,
                       .base = {1'000'000},
                       .head = {1'100'000},
                       .ratio = 1.1,
                       .interval = ConfidenceInterval{1.1, 1.1}}};
  const std::string text = to_text(document_of(regression), 100);
  EXPECT_THAT(text, HasSubstr("1,000,000  1,100,000  10.0% more instructions"));
  EXPECT_THAT(text, Not(HasSubstr("pairs of processes")));
  EXPECT_EQ(to_json(regression, ExitCode::slower)["unit"], "instructions");
  EXPECT_THAT(to_junit(regression), Not(HasSubstr("name=\"a\" time")));
}

TEST(RegressionRender, NothingAtAll) {
  Regression nothing;
  EXPECT_THAT(to_text(document_of(nothing), 100), HasSubstr("Nothing could be compared."));
  EXPECT_THAT(to_markdown(document_of(nothing)), HasSubstr("no cases"));
  EXPECT_THAT(to_junit(nothing), HasSubstr("tests=\"0\""));
}

}  // namespace
}  // namespace macrobench
