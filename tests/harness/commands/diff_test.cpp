// macrobench diff, on solutions of real models: what it finds, from where it takes them, and what
// it refuses.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/executable.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The array of that name.
json array_in(const json& diff, const std::string& name) {
  for (const json& one : diff.at("tables").at("arrays").at("rows")) {
    if (one.at("array") == name) return one;
  }
  return {};
}

/// The only stored solution below the folder.
std::string stored_below(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().parent_path().filename() == "solutions") {
      return entry.path().string();
    }
  }
  return "";
}

TEST(Diff, FindsASolverEqualToItself) {
  EXPECT_THAT(macrobench("diff rbc/serial rbc/serial --nk 64", "2>/dev/null"),
              Answers(0, AllOf(HasSubstr("A: rbc/serial nk=64"), HasSubstr("solved now"),
                               HasSubstr("Equal, bit for bit."))));
  const json newton =
      json_of("diff newton/serial 'newton/serial --n 100' --n 100 --json", "2>/dev/null");
  EXPECT_EQ(newton.at("tables").at("sides").at("rows")[0].at("equal"), true);
  EXPECT_EQ(array_in(newton, "argmax").at("shape"), "100 a");
}

TEST(Diff, HasRealChoicesInGridPoints) {
  const json panel = json_of(
      "diff krusell_smith/cpu krusell_smith/frontier --stage panel --N 77 --T 120 --nk 12 "
      "--burn_in 20 --K_min 1 --K_max 200 --accuracy_periods 0 --json",
      "2>/dev/null");
  EXPECT_EQ(array_in(panel, "policy").at("largest_in_points"), 0);
  EXPECT_EQ(array_in(panel, "last_wealth").at("elements"), 77);
  EXPECT_LT(array_in(panel, "K").at("largest"), 1e-9);
}

TEST(Diff, SaysWhereTwoSolversDiffer) {
  // The shared parameter that only one of the two has is that one's.
  const std::string both = "diff rbc/serial rbc/thrust_omp --nk 64 --threads 2 --json";
  const json omp = json_of(both, "2>/dev/null");
  EXPECT_THAT(omp.at("tables").at("sides").at("rows")[1].at("key").get<std::string>(),
              StartsWith("rbc/thrust_omp nk=64"));
  EXPECT_LE(array_in(omp, "policy").at("largest_in_points"), 1);
  EXPECT_LT(array_in(omp, "V").at("largest"), 1e-9);

  const std::string other = "diff 'rbc/serial nk=64' 'rbc/serial nk=64 beta=0.983' ";
  EXPECT_THAT(macrobench(other + "--format md", "2>/dev/null"),
              Answers(1, AllOf(HasSubstr("They differ: V"), HasSubstr("| largest in points |"))));
  const json V = array_in(json_of(other + "--json", "2>/dev/null"), "V");
  EXPECT_EQ(V.at("differing"), 256);
  EXPECT_THAT(V.at("where").get<std::string>(), ::testing::ContainsRegex("Z [0-9]+, K [0-9]+"));
  EXPECT_EQ(std::abs(V.at("a").get<double>() - V.at("b").get<double>()), V.at("largest"));
  EXPECT_EQ(macrobench(other + "--within 1e6", "2>/dev/null").code, 0);
  EXPECT_EQ(macrobench(other + "--within 1e-6", "2>/dev/null").code, 1);
}

TEST(Diff, TakesStoredSolutions) {
  const TemporaryFolder folder;
  ASSERT_EQ(macrobench("sweep rbc --implementations serial --nk 32 --store --max-samples 3 "
                       "--results " +
                       folder.path().string())
                .code,
            0);
  const std::string file = stored_below(folder.path());
  const std::string machine = fs::path(file).parent_path().parent_path().string();
  EXPECT_THAT(macrobench("diff " + file + " 'rbc/serial nk=32' --results " + machine),
              Answers(0, AllOf(Not(HasSubstr("solved")), HasSubstr("Equal, bit for bit"))));
  EXPECT_THAT(macrobench("diff " + file + " 'rbc/serial nk=32 beta=0.983' --results " + machine),
              Answers(1, AllOf(HasSubstr("has no stored solution in"), HasSubstr("solved now"))));

  // A file from elsewhere may have anything in it.
  const std::string other = (folder.path() / "other").string();
  const std::string whole = content_of(file);
  write_file(other, whole.substr(0, whole.size() - 20));
  expect_usage_error("diff " + other + " " + file, "breaks off");
  write_file(other, "V 1 2 3\n");
  expect_usage_error("diff " + other + " " + file, "not a solution that --store wrote");
  std::string renamed = whole;
  renamed.replace(renamed.find("nk=32"), 5, "nk=64");
  write_file(other, renamed);
  expect_usage_error("diff " + other + " " + file, "V has 128 elements, and 256 are needed");
}

TEST(Diff, RefusesWhatCannotBeCompared) {
  expect_usage_error("diff rbc/serial", "diff takes two solutions");
  expect_usage_error("diff no_such_file rbc/serial", "no_such_file: there is no such file");
  expect_usage_error("diff rbc/serial rbc/serail", "the nearest is");
  expect_usage_error("diff rbc/serial newton/serial", "belong to different models");
  expect_usage_error("diff roofline/cpu roofline/cpu", "keeps no solution");
  expect_usage_error("diff rbc/serial rbc/serial --block 32", "unknown parameter 'block'");
  expect_usage_error("diff rbc/serial 'rbc/serial block=32'", "block");
  EXPECT_THAT(macrobench("diff 'newton/serial n=3' 'newton/serial n=4'"),
              Answers(2, HasSubstr("argmax has other shapes: 3 a and 4 a")));
  EXPECT_THAT(macrobench("diff 'rbc/serial nk=16 iteration_cap=2' rbc/serial --nk 16"),
              Answers(4, HasSubstr("has no solution to compare: invalid")));
}

}  // namespace
}  // namespace macrobench
