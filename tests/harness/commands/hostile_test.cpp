// Macrobench among closed streams, full devices and odd numbers.

#include <filesystem>
#include <string>

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
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  ASSERT_EQ(macrobench(sweep + "--results " + results).code, 0);
  const std::string machine = fs::directory_iterator(results)->path().string();
  for (const std::string& command :
       {std::string("--help"), std::string("--version"), std::string("run --help"),
        std::string("list --json"), std::string("run rbc/serial_tuned --nk 16 --json"),
        "claims --results " + machine, "roofline --results " + machine,
        "times --cases --results " + machine, "tables --format md --results " + machine,
        "history rbc/serial_tuned --results " + machine,
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

TEST(Hostile, TooFewDescriptorsAreCalledThat) {
  EXPECT_THAT(macrobench("run rbc/serial_tuned --nk 16", "2>&1", "ulimit -n 12; "),
              Answers(4, HasSubstr("ulimit -n")));
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
  const Answer answer =
      macrobench("run krusell_smith/cpu --N 500 --T 50 --nk 20 --burn_in 10 --save /dev/null");
  EXPECT_NE(answer.code, 2) << answer.output;
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(Hostile, NoViewWritesThroughALink) {
  const TemporaryFolder folder;
  const std::string results = (folder.path() / "results").string();
  ASSERT_EQ(macrobench(sweep + "--results " + results).code, 0);
  const fs::path machine = fs::directory_iterator(results)->path();
  const fs::path victim = folder.path() / "victim";
  write_file(victim, "dear");
  for (const char* name : {"roofline.md.unfinished", "roofline.md", "roofline.json", "claims.md",
                           "claims.json", "times.md", "times.json", "fidelity.md", "fidelity.json",
                           "verification.md", "report.html"}) {
    fs::remove(machine / name);
    fs::create_symlink(victim, machine / name);
  }
  for (const char* view : {"roofline --write", "claims --write", "times --write", "scaling --write",
                           "fidelity --write", "report"}) {
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
