// Programs that exist already and know nothing of the contract: the strangers of stranger.hpp.

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/process/child_process.hpp"
#include "harness/programs/existing_result.hpp"
#include "harness/text/error.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/stranger.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

std::string why(const json& record) {
  const json& reason = record.at("reason");
  if (reason.is_null()) return "";
  return reason.at("clause").get<std::string>() +
         (reason.at("detail").is_null() ? "" : " (" + reason["detail"].get<std::string>() + ")");
}

void expect_right(const json& record) {
  EXPECT_THAT(record.at("status"), AnyOf("measured", "noisy")) << why(record);
}

TEST(ExistingProgram, IsCertifiedAndItsOwnTimesAreKeptApart) {
  const json record = Stranger("good").run();
  expect_right(record);
  EXPECT_EQ(record.at("case").at("origin"), "yours");
  const json& sample = record.at("samples").at(0);
  const json& theirs = sample.at("around").at("their_solution");
  EXPECT_EQ(theirs.size(), 1 + sample.at("solutions").size());
  EXPECT_LT(theirs.at(0), sample.at("first_solution")) << "our clock has its whole process";
  EXPECT_EQ(record.at("outcome").at("figures").at("their_solution_seconds"), theirs.at(0));
  EXPECT_GT(record["outcome"].at("iterations"), 100);
  EXPECT_THAT(record["outcome"].at("notes").at("assumed").get<std::string>(),
              HasSubstr("converged 1: program.json says so"));
}

TEST(ExistingProgram, WritesRawNumbersInAnotherOrder) {
  const auto value = [](const json& order) -> json {
    return {{"V",
             {{"file", "value.bin"},
              {"format", "float64"},
              {"shape", {"nz", "nk"}},
              {"order", order}}}};
  };
  expect_right(Stranger("good", value({"nk", "nz"})).run());
  const json record = Stranger("good", value({"nz", "nk"})).run();
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("residual"));
}

TEST(ExistingProgram, IsToldThatItPrintsTooFewDigits) {
  const json record = Stranger("ten").run();
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record),
              AllOf(HasSubstr("; 10 digits leave a residual of "), HasSubstr(": print 17")));
}

TEST(ExistingProgram, PrintsWholeNumbersWithAllTheirDigits) {
  const json choices{{"file", "policy.txt"}, {"shape", {"nz", "nk"}}, {"order", {"nk", "nz"}}};
  EXPECT_THAT(why(Stranger("ten_from_0", {{"policy", choices}}).run()),
              HasSubstr("; 10 digits leave a residual of "));
}

TEST(ExistingProgram, MayCountItsChoicesFrom1) {
  json choices{{"file", "policy.txt"}, {"shape", {"nz", "nk"}}, {"order", {"nk", "nz"}}};
  const json record = Stranger("good", {{"policy", choices}}).run();
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("; policy has no 0: counted from 1?"));
}

TEST(ExistingProgram, InPythonPrintsCapitals) {
  if (!can_be_started("python3")) GTEST_SKIP() << "python3 is not installed";
  const json record = Stranger::python().run();
  expect_right(record);
  EXPECT_EQ(record.at("case").at("origin"), "original");
  EXPECT_FALSE(record.at("samples").at(0).at("around").at("their_set_up").empty());
}

TEST(ExistingProgram, FailsWithOneSentence) {
  const json nothing = json::object();
  const json parameters{{"parameters", {{"in.txt", {"1", "{rho}"}}}}};
  const std::map<std::string, std::string> sentences{
      {"fails", "solve ended with exit code 3: the matrix is singular"},
      {"silent", "its output has no 'Solution time: ', after which a number is expected"},
      {"writes_nothing", "value.txt: No such file or directory, where its result is expected"},
      {"truncated", "value.txt has 127 numbers, 4 x 32 are needed"},
      {"word", "value.txt has 'segfault' at line 7, but a number is expected"}};
  for (const auto& [mode, sentence] : sentences) {
    const json record = Stranger(mode).run();
    EXPECT_EQ(record.at("status"), "failed") << mode;
    EXPECT_THAT(why(record), HasSubstr(sentence));
  }
  const auto with_result = [](const std::string& name, const json& place) {
    return why(Stranger("good", {{name, place}}).run());
  };
  EXPECT_THAT(with_result("V", {{"file", "value.bin"}, {"format", "float32"}, {"shape", {128}}}),
              HasSubstr("value.bin has 1024 bytes after the first 0, 128 numbers of 4 are needed"));
  EXPECT_THAT(with_result("V", {{"file", "value.txt"}, {"shape", {"nx"}}}),
              HasSubstr("the shape has 'nx', which is not a whole number of the problem"));
}

TEST(ExistingProgram, SaysWhatIsAnArrayAndWhatANumber) {
  const auto refusal = [](const std::string& name, const json& place) {
    const Stranger program("good", {{name, place}});
    return macrobench("check-program '" + program.folder() + "'").output;
  };
  EXPECT_THAT(refusal("V", {{"file", "value.txt"}}),
              HasSubstr("at /existing/result/V: V is an array and needs a 'shape'"));
  EXPECT_THAT(refusal("V", 1), HasSubstr("V is an array and needs a 'shape'"));
  EXPECT_THAT(refusal("iterations", {{"file", "value.txt"}, {"shape", {"nk"}}}),
              HasSubstr("iterations is one number and has no 'shape'"));
}

/// What is made of this output, in which a time follows "took " and a count "count ".
std::string result_of(const std::string& printed) {
  const TemporaryFolder folder;
  ExistingProgram program;
  program.result["count"] = {.after = "count "};
  program.times["solution"] = {.after = "took "};
  const Left left{.folder = folder.path(), .printed = printed, .problem = {}, .values = {}};
  try {
    write_result(program, left, "double", folder.path());
    return read_whole(folder.path() / "result.txt");
  } catch (const Failure& error) {
    return error.what();
  }
}

TEST(ExistingResult, HasOneNumberWhereOneIsExpected) {
  const std::string right = "count 1323\ntheir_solution_seconds 0.5\n";
  for (const char* printed :
       {"count 1323\ntook 0.5\n", "count 1323\r\ntook +.5\r\n", "count 1323, took 0.5 s",
        "count 1323; all is well\ntook 0.5 Seconds.\nbye", "count 1\rcount 1323\rtook 5.0D-01",
        "count \n 1323\ntook 0.5 sec, of which 0.2 waiting", "count 1323\ntook 0.5 [s]; bye"}) {
    EXPECT_EQ(result_of(printed), right) << printed;
  }
}

TEST(ExistingResult, IsNotTheBeginningOfAnotherNumber) {
  for (const char* count :
       {"1,323", "1, 323", "1 323", "1 323 000", "1'323", "1_323", "1.323,5", "1323x", "1;323",
        "1\u00a0323", "1 ,323", "1 E3", "1 x 10^3", "1 thousand", "1 1323", "13 of 20", "1323 s"}) {
    EXPECT_THAT(
        result_of(fmt::format("took 0.5\ncount {}\n", count)),
        AllOf(StartsWith("its output has '1"), EndsWith("' at line 2, but one number is expected")))
        << count;
  }
  for (const char* took :
       {"310ms",      "310 ms",        "310 [ms]",  "310 MS",    "310 msec(s)", "310 cycles",
        "2 days",     "3 ks",          "5 min",     "1:05.3",    "1 : 05.3",    "0 days 00:01:05",
        "1 s 500 ms", "1 sec, 500 ms", "3 E-01",    "1,234.500", "0,310",       "0,310 s",
        "0.3, 0.5",   "0.3 - 0.5",     "1.234 567", "inf",       "nan"}) {
    EXPECT_THAT(result_of(fmt::format("count 1\ntook {}\n", took)),
                EndsWith("' at line 2, but one number is expected"))
        << took;
  }
  EXPECT_THAT(result_of("count 1\ntook \n"), HasSubstr("nothing after 'took '"));
}

TEST(ExistingResult, IsNotTheBeginningOfALongerArray) {
  const auto array_of = [](const std::string& printed) {
    const TemporaryFolder folder;
    ExistingProgram program;
    program.result["V"] = {.after = "V:", .shape = {"3"}, .order = {"3"}};
    const Left left{.folder = folder.path(), .printed = printed, .problem = {}, .values = {}};
    try {
      write_result(program, left, "double", folder.path());
      return std::string("right");
    } catch (const Failure& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(array_of("V: 1 2\n3\n"), "right");
  EXPECT_EQ(array_of("V:\n1;2;3;\n\nthat is all 4\n5"), "right");
  EXPECT_THAT(array_of("V:\n-1,5\n-2,5\n-3,5\n"), HasSubstr("has 6 numbers, 3 are needed"));
  EXPECT_THAT(array_of("V: 1 2 3 4\n"), HasSubstr("has 4 numbers, 3 are needed"));
  EXPECT_THAT(array_of("V: 1 2 3 seconds\n"), HasSubstr("4 numbers, 3 are needed"));
}

TEST(ExistingProgram, ThatReadsWhatAProblemDoesNotHaveIsToldSo) {
  Stranger program("good", json::object(),
                   {{"existing",
                     {{"parameters", {{"in.txt", {"{nk}", "{no_such_number}"}}}},
                      {"run", {"true"}},
                      {"result", {{"converged", 1}}}}},
                    {"setup", json::array()}});
  const json record = program.run();
  EXPECT_EQ(record.at("status"), "failed");
  EXPECT_THAT(why(record), HasSubstr("in.txt at line 2: unknown name 'no_such_number'"));
}

TEST(ExistingProgram, PassesCheckProgram) {
  Stranger program("good");
  const EnvironmentScope builds("MACROBENCH_PROGRAMS_BUILD", program.folder() + "/.build");
  EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"),
              Answers(0, AllOf(HasSubstr("right  it refuses to solve what it did not load"),
                               HasSubstr("declined  it survives a problem that makes no sense"),
                               HasSubstr("; their_solution_seconds "),
                               HasSubstr("are right; 1 declined."))));
}

TEST(ExistingProgram, IsDescribedWithoutMistakes) {
  const auto existing = [](const json& change) -> json {
    json made{{"run", {"true"}}, {"result", {{"converged", 1}}}};
    made.update(change);
    return {{"existing", made}, {"setup", json::array()}};
  };
  const auto place = [&](const json& its) { return existing({{"result", {{"V", its}}}}); };
  const std::map<std::string, json> others{
      {"/command: a program has a 'command' or is 'existing'", {{"command", {"true"}}}},
      {"/existing/run", existing({{"run", json::array()}})},
      {"/existing/times: unknown field 'total'", existing({{"times", {{"total", "t"}}}})},
      {"/existing/parameters/../../x: '../../x' is not a file in the folder that it runs in",
       existing({{"parameters", {{"../../x", {"1"}}}}})},
      {"/existing/parameters/x: in.txt: No such file",
       existing({{"parameters", {{"x", "in.txt"}}}})},
      {"/existing/result/V/format: unknown format 'flot64'; the nearest is 'float64'",
       place({{"file", "v"}, {"format", "flot64"}})},
      {"/existing/result/V/order: it must have the extents of 'shape'",
       place({{"shape", {"nz", "nk"}}, {"order", {"nk", "nk"}}})},
      {"write \"origin\": \"original\", or nothing", {{"origin", "published"}}},
      {"at /of_a_paper: a program from outside", {{"of_a_paper", true}}}};
  for (const auto& [says, change] : others) {
    const Stranger program("good", json::object(), change);
    EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"), Answers(2, HasSubstr(says)))
        << says;
  }
}

TEST(Origins, OfProgramsFromOutsideAreShownApart) {
  const TemporaryFolder results;
  const std::string where = " --results " + results.path().string();
  Stranger mine("good");
  expect_right(mine.run("--nk 128" + where));
  const auto folder = std::filesystem::directory_iterator(results.path())->path();
  const Answer times = mine.command("times --results " + folder.string());
  EXPECT_THAT(times, Answers(0, AllOf(HasSubstr("Your programs"), Not(HasSubstr("Originals")),
                                      Not(HasSubstr("Programs of today")))));
  EXPECT_THAT(mine.command("list rbc").output, HasSubstr("yours"));
}

}  // namespace
}  // namespace macrobench
