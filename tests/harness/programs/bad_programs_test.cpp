// Nothing that a program from outside does hurts a record, hangs a campaign or passes for right:
// each way is a mode of tests/harness/children/test_program.cpp.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/process/child_process.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/harness/fake_nvml.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

/// Processes that have the text in their command line.
int running(const std::string& text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string words{std::istreambuf_iterator<char>(file), {}};
    if (words.find(text) != std::string::npos) ++count;
  }
  return count;
}

/// A program of the model newton that behaves as `mode` says.
class OneProgram {
 public:
  explicit OneProgram(const std::string& mode, json others = json::object()) {
    json manifest{{"contract", "macrobench-program/1"},
                  {"model", "newton"},
                  {"name", "tested"},
                  {"summary", "for a test"},
                  {"authors", {"a test"}},
                  {"command", {test_executables_folder() + "/test_program", mode, spoilt()}},
                  {"batch", 1000}};
    manifest.update(others);
    if (manifest.contains("devices")) suffix_ = "_gpu";
    std::ofstream(folder_.path() / "program.json") << manifest;
  }

  /// The record of a case, and what it left behind.
  json run(const std::string& arguments = "--n 1000", const std::string& more = "",
           const std::string& deadline = "8s") const {
    const Answer answer = macrobench(
        fmt::format("run newton/tested{} --programs '{}' --max-samples 5 --sample-seconds 0.05 "
                    "--deadline {} --json {} {}",
                    suffix_, folder_.path().string(), deadline, arguments, more),
        "2>/dev/null");
    EXPECT_EQ(running(spoilt()), 0);
    json record = json::parse(answer.output, nullptr, false);
    if (record.is_discarded()) ADD_FAILURE() << answer.output;
    return record;
  }

  [[nodiscard]] std::string spoilt() const { return (folder_.path() / "spoilt").string(); }
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_;
  std::string suffix_;
};

/// Measured; or its time is not believed, because the tests' machine is busy.
void expect_right(const json& record) {
  EXPECT_THAT(record.at("status"), AnyOf("measured", "noisy")) << record["reason"];
}

std::string why(const json& record) {
  const json& reason = record.at("reason");
  if (reason.is_null()) return "";
  return reason.at("clause").get<std::string>() +
         (reason.at("detail").is_null() ? "" : " (" + reason["detail"].get<std::string>() + ")");
}

/// Not a number if it is not known.
double resident_mib(const json& record) {
  const json& memory = record.at("samples").at(0).value("memory", json::object());
  return memory.value("resident_bytes", std::nan("")) / (1 << 20);
}

TEST(GoodProgram, IsMeasuredInEveryFormat) {
  for (const std::string mode :
       {"good", "npy", "text", "chatters", "shows_progress", "counts_dots"}) {
    const json record = OneProgram(mode).run();
    expect_right(record);
    const json& sample = record.at("samples").at(0);
    EXPECT_GE(sample.at("solutions").size(), 2U);
    for (const char* name : {"process", "start", "load", "write", "ping"}) {
      EXPECT_FALSE(sample.at("around").at(name).empty()) << name;
    }
    EXPECT_EQ(record.at("outcome").at("notes").at("versions"), "the tests' own");
    EXPECT_LT(resident_mib(record), 100) << "macrobench's own memory is not the program's";
  }
}

TEST(GoodProgram, HasTheMemoryOfItsChildrenToo) {
  EXPECT_GT(resident_mib(OneProgram("fills_a_child").run()), 200);
}

TEST(GoodProgram, IsAskedForBatchesWhereASolutionIsShort) {
  // Where the machine is busy a short solution may look long, and is then not asked for in batches.
  std::string batch;
  for (int time = 0; time < 10 && batch.empty(); ++time) {
    batch = OneProgram("good").run("--n 10").at("outcome").at("notes").value("batch", "");
  }
  EXPECT_THAT(batch, HasSubstr("at a time"));
}

TEST(BadAnswers, ForOneOfABatchAreCaught) {
  json record = json::object();
  for (int time = 0; time < 10 && record.value("status", "measured") != "failed"; ++time) {
    record = OneProgram("takes_one_only").run("--n 10");
  }
  EXPECT_EQ(record.at("status"), "failed");
  EXPECT_THAT(why(record), HasSubstr("is the answer"));
}

TEST(BadAnswers, BeforeTheResultIsWrittenAreCaught) {
  // Which of the two is seen first is a matter of luck.
  const json record = OneProgram("answers_twice_at_write").run();
  EXPECT_THAT(record.at("status"), AnyOf("invalid", "failed"));
}

TEST(BadClock, SeesWorkThatIsLeftForTheWrite) {
  const auto found = [](const char* mode) {
    return why(OneProgram(mode).run("--n 1000", "", "1m"));
  };
  EXPECT_THAT(found("works_on"), HasSubstr("it works on after its answer: a write takes "));
  EXPECT_THAT(found("computes_in_write"),
              HasSubstr("it computes when it is to write: a write takes "));
  expect_right(OneProgram("writes_once").run());  // after a write it may forget the result
}

TEST(BadClock, SeesThatASolutionBeginsFromTheOneBefore) {
  const std::string steps_at_will = "--n 1000 --tolerance 5e-15";
  expect_right(OneProgram("good").run(steps_at_will));
  const json record = OneProgram("begins_warm").run(steps_at_will);
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("solution 2: asked for the first problem again it took "));
  EXPECT_THAT(why(record), HasSubstr(" iterations, and 50 before: does it begin from"));
  expect_right(OneProgram("has_a_hard_first_problem").run(steps_at_will));
}

TEST(BadClock, SeesHelpersOnACoreEach) {
  if (available_cores() < 2) GTEST_SKIP() << "there is one core";
  const json record = OneProgram("leaves_pinned_workers").run("--n 100000");
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("left the 1 core that it was given"));
}

TEST(CheckProgram, AcceptsWhatIsOnlyShort) {
  const OneProgram program("answers_late", {{"batch", 1}});
  EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"),
              Answers(0, HasSubstr("are right")));
}

TEST(BadAnswers, AreReplayedNowhere) {
  const json record = OneProgram("replays").run("--n 1000 --b 0");
  EXPECT_EQ(record.at("status"), "invalid") << "where b does not matter, another one does";
}

TEST(GoodProgram, IsTooShortWithoutBatches) {
  const OneProgram program("good", {{"batch", 1}});
  json record = program.run("--n 10");
  // Other work on its core can make one solution long enough.
  for (int i = 0; i < 5 && record.at("status") != "invalid"; ++i) record = program.run("--n 10");
  EXPECT_EQ(record.at("status"), "invalid");
  EXPECT_THAT(why(record), HasSubstr("too short"));
}

TEST(GoodProgram, IsNotRunOutsideWhatItTakes) {
  const OneProgram program("good", {{"parameters", {{"n", {1, 500}}}}});
  expect_right(program.run("--n 500"));
  const json record = program.run("--n 501");
  EXPECT_EQ(record.at("status"), "not_run");
  EXPECT_THAT(why(record), HasSubstr("n = 501: the program takes n from 1 to 500"));
  EXPECT_THAT(macrobench("run newton/tested --n 501 --programs " + program.folder()),
              Answers(2, HasSubstr("\ncannot run: n = 501: the program takes n from 1 to 500")))
      << "the one case that was asked for";
  const TemporaryFolder results;
  const Answer many = macrobench("sweep newton --implementations tested --n 10,501 --results " +
                                 results.path().string() + " --programs " + program.folder());
  EXPECT_EQ(many.code, 0) << many.output;
}

TEST(GoodProgram, HasAnotherSourceWhenAFileOfItsChanges) {
  const OneProgram program("good");
  const std::string before = program.run().at("source");
  EXPECT_EQ(program.run().at("source"), before);
  std::ofstream(program.folder() + "/README.md") << "words\n";
  EXPECT_EQ(program.run().at("source"), before);
  std::ofstream(program.folder() + "/solver.txt") << "code\n";
  EXPECT_NE(program.run().at("source"), before);
}

TEST(GoodProgram, IsRunAgainWhenItNamesAnotherVersion) {
  const TemporaryFolder elsewhere;
  const std::string library = (elsewhere.path() / "library").string();
  const OneProgram program(
      "good",
      {{"command", {test_executables_folder() + "/test_program", "names_a_library", library}}});
  const std::string sweep = fmt::format(
      "sweep newton --implementations tested --n 1000 --max-samples 3 --sample-seconds 0.01 "
      "--results {} --programs {}",
      (elsewhere.path() / "results").string(), program.folder());
  for (const std::string version : {"2.0", "3.0"}) {
    std::ofstream(library) << "library " << version << "\n";
    Answer answer = macrobench(sweep);
    EXPECT_THAT(answer.output, Not(HasSubstr("kept from before"))) << version;
    // A noisy time is not kept in any case.
    for (int i = 0; i < 5 && answer.output.find("1 kept") == std::string::npos; ++i) {
      answer = macrobench(sweep);
    }
    EXPECT_THAT(answer.output, HasSubstr("1 kept from before")) << version;
  }
}

struct Bad {
  std::string mode;
  std::string status;
  std::string says;
};

class BadProgram : public ::testing::TestWithParam<Bad> {};

TEST_P(BadProgram, IsCaught) {
  const Bad& bad = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  const json record = OneProgram(bad.mode).run("--n 100000", "--program-memory 1000",
                                               bad.status == "timeout" ? "2s" : "8s");
  if (bad.status == "measured") {
    expect_right(record);
  } else {
    EXPECT_EQ(record.at("status"), bad.status) << why(record);
    EXPECT_THAT(why(record), HasSubstr(bad.says));
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(taken.count(), 40);
}

INSTANTIATE_TEST_SUITE_P(
    Of, BadProgram,
    ::testing::Values(Bad{"exits_at_hello", "failed", "ended before it answered (exit code 3)"},
                      Bad{"exits_at_start", "failed", "asked to 'start'"},
                      Bad{"exits_at_load", "failed", "asked to 'load'"},
                      Bad{"exits_at_ping", "failed", "asked to 'ping'"},
                      Bad{"exits_at_solve", "failed", "asked to 'solve'"},
                      Bad{"exits_at_write", "failed", "asked to 'write'"},
                      Bad{"crashes_at_solve", "failed", "killed by signal 11"},
                      Bad{"hangs_at_solve", "timeout", "in the first solution"},
                      Bad{"hangs_at_ping", "timeout", ""},
                      Bad{"says_nonsense_at_hello", "failed", "where 'mb1 hello' is the answer"},
                      Bad{"says_error", "failed", "the dog ate it"},
                      Bad{"answers_twice_at_load", "failed", "answered"},
                      Bad{"answers_twice_at_solve", "failed", "answered"},
                      Bad{"answers_twice_at_ping", "failed", "answered"},
                      Bad{"nan", "invalid", "not converged"},
                      Bad{"too_many", "invalid", "but 100000 numbers of 8 bytes are required"},
                      Bad{"forgets_an_array", "invalid", "it did not write argmax"},
                      Bad{"writes_nothing", "invalid", "it did not write argmax"},
                      Bad{"byte_order", "invalid", "where the maximum is"},
                      Bad{"says_byte_order", "invalid", "the byte order of another machine"},
                      Bad{"other_shape", "invalid", "has the shape (1, 100000)"},
                      Bad{"huge_header", "invalid", "has the shape"},
                      Bad{"link", "invalid", "argmax.bin is not a regular file"},
                      Bad{"pipe", "invalid", "argmax.bin is not a regular file"},
                      Bad{"replays", "invalid", "where the maximum is"},
                      Bad{"floods_lines", "failed", "more than 64 MB of output"},
                      Bad{"floods_without_lines", "failed", "more than 64 MB of output"},
                      Bad{"floods_errors", "failed", "more than 64 MB of output"},
                      Bad{"eats_memory", "failed", "more than the 1.0 GB of memory"},
                      Bad{"takes_all_cores", "invalid", "left the 1 core that it was given"},
                      Bad{"leaves_a_worker", "invalid", "left the 1 core that it was given"},
                      Bad{"leaves_a_daemon", "measured", ""}),  // which is gone: run() looks
    [](const auto& bad) { return bad.param.mode; });

TEST(BadProgramBehindASandbox, WritesNothingOutsideItsFolder) {
  if (!can_be_started("bwrap")) GTEST_SKIP() << "bubblewrap is not installed";
  const OneProgram program("writes_outside");
  expect_right(program.run());
  EXPECT_TRUE(std::filesystem::remove(program.spoilt())) << "without a sandbox it can";
  const json record = program.run("--n 1000", "--sandbox");
  expect_right(record);
  EXPECT_FALSE(std::filesystem::exists(program.spoilt()));
  EXPECT_EQ(record.at("outcome").at("notes").at("sandbox"), "bubblewrap");
}

TEST(BadManifest, IsOneSentenceThatNamesTheField) {
  const std::map<std::string, json> others{
      {"/contract", {{"contract", "macrobench-program/2"}}},
      {"/name", {{"name", "../x"}}},
      {"/command", {{"command", json::array()}}},
      {"/real", {{"real", {"half"}}}},
      {"/devices", {{"devices", json::array()}}},
      {"/batch", {{"batch", 0}}},
      {"/setup_files", {{"setup_files", {"no_such_file"}}}},
      {"/uses", {{"uses", {"../../no_such_folder"}}}},
      {"/missing", {{"missing", ""}}},
      {"/of_a_paper", {{"of_a_paper", "yes"}}},
      {"/work", {{"work", "luck"}}},
      {"/declines", {{"declines", {"nonsense"}}}},
      {"newton has no law of statements", {{"work", "statements"}}},
      {"unknown field", {{"commnad", "x"}}},
      {"unknown model", {{"model", "newtn"}}},
      {"unknown parameter", {{"parameters", {{"nn", {1, 2}}}}}},
      // What the model has, and its programs do not.
      {"stage has no 'policy'",
       {{"model", "krusell_smith"}, {"parameters", {{"stage", {"policy"}}}}}}};
  for (const auto& [says, change] : others) {
    const OneProgram program("good", change);
    EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"), Answers(2, HasSubstr(says)))
        << says;
  }
}

TEST(BadManifest, ThatIsNotJsonNamesTheLine) {
  const OneProgram program("good");
  std::ofstream(program.folder() + "/program.json") << "{\"model\": \"newton\",\n name\n}\n";
  EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"),
              Answers(2, HasSubstr("program.json: it is not JSON from line 2 on\n")));
}

TEST(CheckProgram, SaysThatAGoodOneIsRight) {
  const OneProgram program("good");
  EXPECT_THAT(macrobench("check-program '" + program.folder() + "'"),
              Answers(0, HasSubstr("are right. To time it: macrobench run newton/tested")));
}

TEST(CheckProgram, LeavesOutTheNonsenseThatAProgramDeclinesByName) {
  const OneProgram falls("exits_at_nonsense");
  EXPECT_THAT(macrobench("check-program '" + falls.folder() + "'"),
              Answers(3, HasSubstr("WRONG  it survives a problem that makes no sense")));
  const OneProgram declines("exits_at_nonsense", {{"declines", {"truncated_arrays"}}});
  EXPECT_THAT(
      macrobench("check-program '" + declines.folder() + "'"),
      Answers(0, AllOf(HasSubstr("declined  it survives a problem that makes no sense"),
                       HasSubstr("are right; 1 declined. To time it"), Not(HasSubstr("WRONG")))));
}

TEST(CheckProgram, QuotesTheLastWordsOfAProgramThatDoesNotAnswer) {
  const OneProgram program("shows_progress_for_ever");
  const Answer answer = macrobench("check-program --deadline 1s '" + program.folder() + "'");
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("did not answer 'solve' within "),
                                   HasSubstr("s, and was killed; its output ends with '")));
  EXPECT_THAT(answer.output, HasSubstr("Progress: 100%'"));
  EXPECT_THAT(answer.output, HasSubstr("1 of ")) << "what follows from it is not counted again";
}

TEST(CheckProgram, SaysInPlainWordsWhatIsWrong) {
  const std::map<std::string, std::string> words{
      {"exits_at_frobnicate", "asked to 'frobnicate'"},
      {"exits_at_bye", "it ends at 'bye'"},
      {"says_nonsense_at_load", "refuses to load a folder"},
      {"nan", "not converged"}};
  for (const auto& [mode, says] : words) {
    const OneProgram program(mode);
    const Answer answer = macrobench("check-program '" + program.folder() + "'");
    EXPECT_EQ(answer.code, 3) << mode << ": " << answer.output;
    EXPECT_THAT(answer.output, HasSubstr("WRONG"));
    EXPECT_THAT(answer.output, HasSubstr(says));
  }
}

TEST(Programs, AnUnknownFolderIsAUsageError) {
  EXPECT_THAT(macrobench("list --programs /nowhere"),
              Answers(2, HasSubstr("there is no program in it")));
}

}  // namespace
}  // namespace macrobench
