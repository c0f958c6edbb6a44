// What a regression check looks like, in each of its forms.

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/regress/regression.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "tests/golden.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

constexpr const char* hostile = "a <b>&\"'|`*_[x](y)@someone\n\x01 end";

/// One case of each kind that looks different.
Regression example() {
  Regression regression{.base = {"main", "0123456789abcdef0123456789abcdef01234567"},
                        .head = {"this build", ""},
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

int cases_with(const std::vector<Sheet>& sheets, const char* verdict) {
  for (const nlohmann::json& count : rows_of(sheets, "counts")) {
    if (count["verdict"] == verdict) return count["cases"];
  }
  return -1;
}

TEST(RegressionRender, ItsSchemaIsInTheDocumentation) {
  expect_golden(source_folder() + "/docs/schema/regress.schema.json",
                to_text(json_schema_of("regress", sheets_of(Regression{}, ExitCode::ok))));
}

TEST(RegressionRender, Data) {
  const std::vector<Sheet> sheets = sheets_of(example(), ExitCode::invalid);
  const nlohmann::json run = rows_of(sheets, "run")[0];
  EXPECT_EQ(run["exit_code"], 3);
  EXPECT_EQ(run["base_commit"], "0123456789abcdef0123456789abcdef01234567");
  EXPECT_EQ(run["head_commit"], nullptr);
  EXPECT_EQ(run["unit"], "s");
  EXPECT_EQ(cases_with(sheets, "slower"), 1);
  EXPECT_EQ(cases_with(sheets, "faster"), 0);
  const nlohmann::json cases = rows_of(sheets, "cases");
  ASSERT_EQ(cases.size(), 5);
  const nlohmann::json& invalid = cases[0];
  EXPECT_EQ(invalid["verdict"], "invalid");
  EXPECT_EQ(invalid["why"], hostile);
  for (const char* name : {"ratio", "ratio_low", "base", "head"}) {
    EXPECT_EQ(invalid[name], nullptr);
  }
  const nlohmann::json& slower = cases[1];
  EXPECT_EQ(slower["case"], "rbc/thrust_omp nk=256");
  EXPECT_EQ(slower["ratio"], 1.1);
  EXPECT_EQ(slower["ratio_low"], 1.05);
  EXPECT_EQ(slower["ratio_high"], 1.15);
  EXPECT_EQ(slower["head"], 0.0022);
  std::vector<double> heads;
  for (const nlohmann::json& pair : rows_of(sheets, "pairs")) {
    const bool is_its = pair["case"] == slower["case"] && pair["is_of_alarm"] == false;
    if (is_its) heads.push_back(pair["head"]);
  }
  EXPECT_THAT(heads, ElementsAre(0.0011, 0.0022, 0.0033));
}

/// The names of an array's entries; each only once, because trackers look for an entry by its name.
std::vector<std::string> names_of(const nlohmann::json& entries) {
  std::vector<std::string> names;
  for (const auto& one : entries) names.push_back(one.at("name"));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  return names;
}

const auto each_side_once = ElementsAre(
    "base/rbc/serial nk=256", "head/rbc/serial nk=256", "base/rbc/thrust_omp nk=256",
    "head/rbc/thrust_omp nk=256", "base/rbc/serial_tuned nk=256", "head/rbc/serial_tuned nk=256");

// github-action-benchmark's extractor for googlecpp reads name, real_time, time_unit, iterations,
// cpu_time and threads of each entry. Bencher's adapter cpp_google reads name (not empty, at most
// 1,024 bytes), real_time and time_unit of each, and needs the context's list of caches.
TEST(RegressionRender, GoogleBenchmarkForTrackers) {
  Regression regression = example();
  regression.cases.push_back(unchanged("newton/serial n=512"));
  const auto json = nlohmann::json::parse(to_google_benchmark(regression).dump());
  EXPECT_TRUE(json.at("context").at("caches").is_array());
  const auto& benchmarks = json.at("benchmarks");
  EXPECT_THAT(names_of(benchmarks), each_side_once);
  for (const auto& one : benchmarks) {
    EXPECT_LE(one.at("name").get<std::string>().size(), 1024U);
    EXPECT_EQ(one.at("run_name"), one.at("name"));
    EXPECT_EQ(one.at("run_type"), "iteration");
    EXPECT_EQ(one.at("time_unit"), "ns");
    for (const char* number : {"real_time", "cpu_time", "iterations", "threads", "repetitions",
                               "repetition_index", "family_index", "per_family_instance_index"}) {
      EXPECT_TRUE(one.at(number).is_number()) << number;
    }
  }
  const auto& slower = benchmarks[3];
  EXPECT_EQ(slower["real_time"], 2.2e6);
  EXPECT_EQ(slower["low"], 1.1e6);
  EXPECT_EQ(slower["high"], 3.3e6);
  const auto& not_compared = json["context"]["not_compared"];
  EXPECT_TRUE(not_compared.contains("newton/serial n=256"));
  EXPECT_THAT(not_compared["newton/serial n=512"].get<std::string>(), HasSubstr("not measured"));
}

TEST(RegressionRender, WhatNothingChangedIsListedAndNotMeasured) {
  Regression regression = example();
  regression.cases = {unchanged("newton/serial n=256"), unchanged("rbc/serial nk=256")};
  const std::string text = to_text(document_of(regression), 100);
  EXPECT_THAT(text, StartsWith("Nothing is left out.\n"));
  EXPECT_THAT(text, HasSubstr("Nothing is slower: nothing that decides it has changed.\n2 same"));
  EXPECT_THAT(text, HasSubstr("rbc/serial nk=256\n"));
  EXPECT_THAT(text, HasSubstr("--unchanged"));
  EXPECT_THAT(text, Not(HasSubstr("pairs of processes")));
  EXPECT_EQ(exit_code_of(regression, {}), ExitCode::ok);
  const std::vector<Sheet> sheets = sheets_of(regression, ExitCode::ok);
  EXPECT_EQ(cases_with(sheets, "same"), 2);
  EXPECT_EQ(rows_of(sheets, "cases")[0]["same_source"], true);
  EXPECT_EQ(rows_of(sheets, "cases")[0]["base"], nullptr);
  regression.cases.push_back(example().cases[0]);
  const std::string partly = to_text(document_of(regression), 100);
  EXPECT_THAT(partly, HasSubstr("Nothing is slower.\n3 same"));
  EXPECT_THAT(partly, HasSubstr("the same, and so not measured"));
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
  EXPECT_EQ(rows_of(sheets_of(regression, ExitCode::slower), "run")[0]["unit"], "instructions");
}

TEST(RegressionRender, TheFirstLineSaysWhatIsLeftOutAndWhy) {
  Regression regression = example();
  for (const char* const key : {"newton/cuda_c n=256", "rbc/cuda_c nk=256"}) {
    regression.cases.push_back({.key = key, .verdict = Verdict::left_out, .why = "no GPU here"});
  }
  regression.cases.push_back({.key = "krusell_smith/cpu N=125 T=250",
                              .verdict = Verdict::same,
                              .usual = "krusell_smith/cpu N=500 T=1000"});
  regression.never_tried = "2 programs from outside (no commit here changes them)";
  const std::string line =
      "Left out: newton/cuda_c, rbc/cuda_c (no GPU here); 2 programs from outside (no commit here "
      "changes them). Run by a smaller case, because the usual one is too long: krusell_smith/cpu.";
  EXPECT_EQ(left_out_of(regression), line);
  EXPECT_THAT(to_text(document_of(regression), 300), StartsWith(line + "\n"));
  EXPECT_EQ(rows_of(sheets_of(regression, ExitCode::ok), "run")[0]["left_out"], line);
  EXPECT_EQ(rows_of(sheets_of(regression, ExitCode::ok), "cases").back()["smaller_than"], nullptr);
}

TEST(RegressionRender, NothingAtAll) {
  Regression nothing;
  EXPECT_THAT(to_text(document_of(nothing), 100), HasSubstr("Nothing could be compared."));
  EXPECT_THAT(to_markdown(document_of(nothing)), HasSubstr("no cases"));
}

}  // namespace
}  // namespace macrobench
