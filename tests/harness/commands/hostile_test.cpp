// Macrobench among closed streams, full devices and odd numbers.

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "harness/process/child_process.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

const std::string sweep = "sweep rbc --implementations serial_tuned --nk 16 --max-samples 3 ";

/// All files of results below the folder, one after the other.
std::string results_below(const fs::path& folder) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) all += content_of(entry.path());
  }
  return all;
}

TEST(Hostile, WhatIsMeantForAClosedStreamIsInNoFile) {
  const EnvironmentScope unmeasured = without_speeds();
  struct Closed {
    const char* streams;
    int code;  ///< 4 where nobody gets the answer
  };
  for (const auto& [streams, code] : {Closed{"<&-", 0}, Closed{"2>&-", 0},
                                      Closed{">&- 2>/dev/null", 4}, Closed{"<&- >&- 2>&-", 4}}) {
    const TemporaryFolder folder;
    EXPECT_EQ(macrobench(sweep + "--results " + folder.path().string(), streams).code, code)
        << streams;
    EXPECT_THAT(results_below(folder.path()),
                AllOf(HasSubstr("rbc/serial_tuned nk=16"), Not(HasSubstr("[1/1]")),
                      Not(HasSubstr("The campaign"))))
        << streams;
  }
}

TEST(Hostile, AnAnswerThatIsLostIsAnError) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  ASSERT_EQ(macrobench(sweep + "--results " + results).code, 0);
  const std::string machine = fs::directory_iterator(results)->path().string();
  for (const std::string& command :
       {std::string("--help"), std::string("--version"), std::string("run --help"),
        std::string("list --json"), std::string("run rbc/serial_tuned --nk 16 --json"),
        "claims --results " + machine, "times --cases --results " + machine,
        "tables --format md --results " + machine,
        "compare published/c2075 " + source_folder() + "/results/reference/amd_epyc_2_cores",
        "verify " + machine}) {
    const Answer answer = macrobench(command, "2>&1 >/dev/full");
    EXPECT_EQ(answer.code, 4) << command << ": " << answer.output;
    // What was flushed line by line has no errno left at the end.
    EXPECT_THAT(answer.output,
                AnyOf(HasSubstr("No space left on device"), HasSubstr("could not be written")))
        << command;
  }
}

TEST(Hostile, NothingAbortsWhereStandardErrorIsFull) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string nowhere = (folder.path() / "nowhere").string();
  const std::string machine = source_folder() + "/results/reference/amd_epyc_2_cores";
  for (const auto& [command, code] : {std::pair{std::string("run nosuch"), 2},
                                      {"nosuch", 2},
                                      {"list nosuch", 2},
                                      {"times --results " + nowhere, 2},
                                      {"verify " + nowhere, 2},
                                      {"run rbc/serial_tuned --nk 16", 0},
                                      {"verify " + machine, 0},
                                      {sweep + "--results " + nowhere, 0}}) {
    EXPECT_EQ(macrobench(command, "2>/dev/full >/dev/null").code, code) << command;
    const int both = macrobench(command, "2>/dev/full >/dev/full").code;
    EXPECT_EQ(both, code == 0 ? 4 : code) << command;
  }
}

TEST(Hostile, TooFewDescriptorsAreCalledThat) {
  // What CTest leaves open would leave the dynamic linker none.
  const std::string closed = "exec 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ";
  for (const char* few : {"4", "5", "8", "12"}) {
    for (const char* command : {"run rbc/serial_tuned --nk 16", "regress --base HEAD"}) {
      EXPECT_THAT(macrobench(command, "", fmt::format("{}ulimit -n {}; ", closed, few)),
                  Answers(4, HasSubstr("ulimit -n")))
          << few;
    }
  }
}

TEST(Hostile, AnEmptyNameIsNone) {
  EXPECT_THAT(macrobench("run rbc/serial_tuned --nk 16 --capital ''"),
              Answers(2, HasSubstr("--capital: an empty value")));
  for (const char* command : {"run rbc/serial_tuned --nk 16", "sweep rbc --nk 16", "replicate",
                              "report", "tables", "merge", "regress --base HEAD"}) {
    EXPECT_THAT(macrobench(std::string(command) + " --results ''"),
                Answers(2, AllOf(HasSubstr("--results"), HasSubstr("empty"))))
        << command;
  }
}

TEST(Hostile, AFolderForTemporaryFilesThatIsNotThereIsNamed) {
  const auto complaint_in = [](const char* folder) {
    const EnvironmentScope elsewhere("TMPDIR", folder);
    return complaint_of<ReadableError>([] { return TemporaryFolder().path(); });
  };
  for (const char* none : {"/no/such/folder", "/dev/null"}) {
    EXPECT_THAT(complaint_in(none), HasSubstr("there is no such folder")) << none;
  }
  EXPECT_EQ(complaint_in(""), "");
  EXPECT_THAT(complaint_in("/proc"),
              AllOf(HasSubstr("cannot be made in /proc ("), HasSubstr("TMPDIR")));
}

TEST(Hostile, ATerminalThatKnowsNoEscapesGetsNone) {
  const EnvironmentScope unmeasured = without_speeds();
  if (!can_be_started("script")) GTEST_SKIP() << "script is not installed";
  const TemporaryFolder folder;
  const auto shown = [&](const std::string& terminal, int nk) {
    return by_shell(fmt::format("{} script --quiet --return --command \"'{}' sweep rbc --nk {} "
                                "--implementations serial_tuned --results {}\" /dev/null",
                                terminal, executable_path(), nk, folder.path().string()))
        .output;
  };
  EXPECT_THAT(shown("TERM=xterm", 20), HasSubstr("\x1b"));
  EXPECT_THAT(shown("TERM=dumb", 21), AllOf(HasSubstr("nk=21"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(shown("env -u TERM", 22), AllOf(HasSubstr("nk=22"), Not(HasSubstr("\x1b"))));
}

TEST(Hostile, ASweepOfOneImplementationSaysHowToAskForIt) {
  EXPECT_THAT(macrobench("sweep rbc/serial_tuned --nk 16"),
              Answers(2, HasSubstr("macrobench sweep rbc --implementations serial_tuned")));
}

TEST(Hostile, FewerThreadsThanTheCaseNamesAreNoTime) {
  const std::string command = "run rbc/thrust_omp --nk 32 --max-samples 3 --threads ";
  EXPECT_THAT(macrobench(command + "2", "2>&1", "OMP_THREAD_LIMIT=1 "),
              Answers(4, HasSubstr("OpenMP gives 1 of the 2 threads (OMP_THREAD_LIMIT=1)")));
  EXPECT_THAT(macrobench(command + "2", "2>&1", "OMP_DYNAMIC=true "),
              Answers(4, HasSubstr("OpenMP may give fewer than the 2 threads (OMP_DYNAMIC=true)")));
  EXPECT_EQ(macrobench(command + "1", "2>&1", "OMP_THREAD_LIMIT=1 OMP_DYNAMIC=true ").code, 0);
  EXPECT_EQ(macrobench(command + "2", "2>&1", "OMP_THREAD_LIMIT=2 OMP_DYNAMIC=false ").code, 0);
}

TEST(Hostile, NumbersOnTheCommandLineAreFinite) {
  for (const char* number : {"nan", "-nan", "inf", "-inf", "1e999"}) {
    const Answer threshold =
        macrobench(std::string("regress --base HEAD --threshold=") + number + " rbc/serial");
    EXPECT_EQ(threshold.code, 2) << threshold.output;
    EXPECT_THAT(threshold.output, HasSubstr("--threshold"));
    for (const char* option : {"--spread=", "--sample-seconds=", "--deadline="}) {
      const Answer answer =
          macrobench(std::string("run rbc/serial_tuned --nk 16 ") + option + number);
      EXPECT_EQ(answer.code, 2) << option << number << ": " << answer.output;
    }
  }
  const Answer samples = macrobench(sweep + "--min-samples 100");
  EXPECT_EQ(samples.code, 2);
  EXPECT_THAT(samples.output, HasSubstr("--min-samples 100 is more than --max-samples 3"));
}

TEST(Hostile, ADeviceThatTheUserNamesStaysOne) {
  const Answer answer = macrobench(
      "run krusell_smith/cpu --N 500 --T 50 --nk 20 --burn_in 10 --max-samples 2 --min-samples 1 "
      "--out /dev/null");
  EXPECT_THAT(answer, Answers(2, HasSubstr("/dev/null: it is not a folder")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(Hostile, NoViewWritesThroughALink) {
  const EnvironmentScope unmeasured = without_speeds();
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  ASSERT_EQ(macrobench(sweep + "--results " + results).code, 0);
  const fs::path machine = fs::directory_iterator(results)->path();
  const fs::path victim = folder.path() / "victim";
  write_file(victim, "dear");
  for (const char* name :
       {"claims.md.unfinished", "claims.md", "claims.json", "times.md", "times.json", "fidelity.md",
        "fidelity.json", "verification.md", "report.html"}) {
    fs::remove(machine / name);
    fs::create_symlink(victim, machine / name);
  }
  for (const char* view : {"claims --write", "times --write", "fidelity --write", "report"}) {
    const Answer answer = macrobench(std::string(view) + " --results " + machine.string());
    EXPECT_EQ(answer.code, 0) << view << ": " << answer.output;
    EXPECT_EQ(content_of(victim), "dear") << view;
  }
  fs::remove_all(machine / "tables");
  fs::create_directories(folder.path() / "elsewhere");
  fs::create_directory_symlink(folder.path() / "elsewhere", machine / "tables");
  EXPECT_THAT(macrobench("tables --results " + machine.string()),
              Answers(4, HasSubstr("it is a link")));
  EXPECT_TRUE(fs::is_empty(folder.path() / "elsewhere"));
}

}  // namespace
}  // namespace macrobench
