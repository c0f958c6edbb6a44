// A plan in parts, their merge, and the batch script, as a user calls them.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/text/shell.hpp"
#include "harness/text/strings.hpp"
#include "tests/executable.hpp"
#include "tests/harness/support.hpp"
#include "tests/hostile_text.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ClusterTest : public testing::Test {
 protected:
  [[nodiscard]] std::string results() const {
    return " --results " + (folder.path() / "results").string();
  }
  [[nodiscard]] fs::path file() const { return folder.path() / "job.sbatch"; }
  [[nodiscard]] std::string to_file() const { return " --output " + file().string(); }

  /// What a script says that bash runs in the folder.
  [[nodiscard]] std::string by_bash(const std::string& script) const {
    write_file(folder.path() / "run", "cd " + folder.path().string() + "\n" + script);
    return by_shell("bash " + (folder.path() / "run").string()).output;
  }

  TemporaryFolder folder;
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
  EXPECT_THAT(macrobench("merge" + results()),
              Answers(0, HasSubstr("Of 3 parts 1 is not here: 2.")));
  EXPECT_EQ(macrobench(sweep + " --part 2/3" + results()).code, 0);
  const Answer merged = macrobench("merge --json" + results());
  ASSERT_EQ(merged.code, 0) << merged.output;
  const json said = json::parse(merged.output).at("machines").at(0);
  EXPECT_EQ(said["missing_parts"], json::array());
  ASSERT_EQ(said["shards"].size(), 3u);
  EXPECT_EQ(said["shards"][0]["new_records"], 0);
  EXPECT_GT(said["shards"][1]["new_records"], 0);
  const json whole = json_of(sweep + " --json" + results(), "2>/dev/null");
  EXPECT_EQ(whole.size(), 4u);
  const json campaigns = json_of("results campaigns --json" + results())["machines"];
  ASSERT_EQ(campaigns.size(), 1u) << "shards are no machines";
  std::size_t records = 0;
  for (const json& campaign : campaigns[0]["campaigns"]) {
    records += campaign["records"].get<std::size_t>();
  }
  EXPECT_EQ(records, 4u) << "nothing was run again";
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
    cases += json_of(replicate + part + results()).size();
  }
  const json all = json_of(replicate + results());
  EXPECT_GT(cases, 0u);
  EXPECT_LE(cases, all.size()) << "what this build leaves out belongs to no part";
}

TEST_F(ClusterTest, AReplicationsPartIsShort) {
  const Answer answer = macrobench(
      "replicate aldrich_2014/table_1 --budget 1s --part 1/200" + results(), "2>/dev/null");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.output, AllOf(HasSubstr("Part 1/200:"), HasSubstr("macrobench merge")));
  EXPECT_THAT(answer.output, Not(HasSubstr("Claims")));
}

TEST_F(ClusterTest, ASharedMachineHasItsOwnFolder) {
  const Answer answer =
      macrobench("sweep newton --implementations serial --n 256 --shared" + results());
  EXPECT_EQ(answer.code, 0) << answer.output;
  for (const auto& entry : fs::directory_iterator(folder.path() / "results")) {
    EXPECT_THAT(entry.path().filename().string(), HasSubstr("_shared_"));
  }
}

TEST_F(ClusterTest, WhatIsWrongIsOneSentence) {
  for (const char* part : {"9/8", "0/3", "x"}) {
    const std::string says = "it must name one of at most 10,000 parts";
    expect_usage_error(fmt::format("sweep newton --part {}", part), says);
    expect_usage_error(fmt::format("replicate --part {}", part), says);
  }
  expect_usage_error("merge --results " + folder.path().string(), "there are no shards in it");
  expect_usage_error("slurm run newton --parts 2", "say sweep or replicate first");
  expect_usage_error("slurm --parts 2", "say sweep or replicate first");
  expect_usage_error("slurm sweep newton --parts 0", "--parts");
  expect_usage_error("slurm sweep newton --parts 2 --part 1/2", "--parts 2 is enough");
  expect_usage_error("slurm sweep newton --parts 2 --nk 3", "unknown parameter 'nk'");
  expect_usage_error("slurm replicate nowhere/table --parts 2", "nowhere/table");
  expect_usage_error("slurm sweep newton --parts 2 --shared --exclusive", "leave one out");
  expect_usage_error("slurm sweep newton --parts 2 --account 'a\n#SBATCH --x'",
                     "write it into the file");
  for (const char* time : {"30m", "4h", "1-", ":30", "1:2:3:4", "-5"}) {
    expect_usage_error(fmt::format("slurm sweep newton --parts 2 --time={}", time),
                       "sbatch takes minutes");
  }
  EXPECT_THAT(macrobench("merge '\x1b[31m'").output, Not(HasSubstr("\x1b")));
}

TEST_F(ClusterTest, TheScriptSaysToSlurmWhatWasAsked) {
  const Answer answer = macrobench(
      "slurm sweep newton --n 128..1024 --parts 100 --at-once 20 --exclusive --account econ "
      "--partition gpu,cpu --time 1-12:00:00 --module cuda/12.4 --module openmpi");
  ASSERT_EQ(answer.code, 0) << answer.output;
  for (const char* line :
       {"#!/bin/bash\n", "\n#SBATCH --array=1-100%20\n", "\n#SBATCH --exclusive\n",
        "\n#SBATCH --account=econ\n", "\n#SBATCH --partition=gpu,cpu\n",
        "\n#SBATCH --time=1-12:00:00\n", "\nmodule load cuda/12.4\nmodule load openmpi\n",
        "/100\nexec \"$macrobench\" sweep newton --n 128..1024 --part \"$part\"\n",
        "#   job=$(sbatch --parsable FILE)\n"}) {
    EXPECT_THAT(answer.output, HasSubstr(line));
  }
  EXPECT_THAT(macrobench("slurm sweep newton --parts 2").output,
              AllOf(HasSubstr("exec \"$macrobench\" sweep newton --shared --part \"$part\"\n"),
                    Not(HasSubstr("#SBATCH --exclusive"))));
  const std::string programs = shell_word(std::string(source_folder()) + "/programs/newton");
  EXPECT_THAT(macrobench("slurm sweep newton --parts 2 --programs " + programs).output,
              HasSubstr("--shared --programs " + programs + " --part \"$part\"\n"));
}

TEST_F(ClusterTest, WhatIsBetweenTheMarksIsKept) {
  const std::string write = "slurm sweep newton --n 128..1024 --exclusive" + to_file();
  ASSERT_EQ(macrobench(write + " --parts 2").code, 0);
  std::string text = content_of(file());
  const std::string mine = "#SBATCH --qos=mine\nmodule load gcc\nexport X='$(date)' # \\1 {}\n";
  const std::size_t begin = text.find('\n', text.find("# >>> yours")) + 1;
  const std::size_t end = text.find("# <<< yours");
  text.replace(begin, end - begin, mine);
  write_file(file(), text);
  ASSERT_EQ(macrobench(write + " --parts 7").code, 0);
  const std::string again = content_of(file());
  EXPECT_THAT(again, AllOf(HasSubstr("\n" + mine + "# <<< yours\n"), HasSubstr("--array=1-7\n")));
  text = again;
  text.replace(text.find(mine), mine.size(), "");
  write_file(file(), text);
  ASSERT_EQ(macrobench(write + " --parts 7").code, 0);
  EXPECT_EQ(content_of(file()), text) << "nothing between them is kept too";
  write_file(file(), "my thesis");
  EXPECT_THAT(macrobench(write + " --parts 7"), Answers(2, HasSubstr("so it is not overwritten")));
  EXPECT_EQ(content_of(file()), "my thesis");
}

TEST_F(ClusterTest, NothingOfAnArgumentIsExecuted) {
  // An executable that says its arguments, each with a NUL behind it, takes the place of this one.
  const fs::path says = folder.path() / "says";
  write_file(says, "#!/bin/bash\nprintf '%s\\0' \"$@\"\n");
  fs::permissions(says, fs::perms::owner_all);
  std::vector<std::string> texts(hostile_texts.begin(), hostile_texts.end());
  for (const char* text : {"$(touch made)", "`touch made`", "x; touch made", "'; touch made; '",
                           "a\ntouch made\n#SBATCH --exclusive\n", "\n# <<< yours\ntouch made",
                           "\"$(touch made)\"", "\\", "a\\' ; touch made"}) {
    texts.emplace_back(text);
  }
  for (const std::string& text : texts) {
    fs::remove(file());
    // As the folder of results, which is in the merge's line too, and as a module.
    const std::string said =
        by_bash(shell_word(executable_path()) + " slurm sweep newton --parts 3 --results " +
                shell_word("./" + text) + " --module " + shell_word("m" + text) + to_file());
    ASSERT_TRUE(fs::exists(file())) << said;
    std::string script = content_of(file());
    EXPECT_EQ(printable(script, "\n"), script);
    EXPECT_EQ(script.find("\n#SBATCH --exclusive"), std::string::npos);
    const std::size_t line = script.find("\nmacrobench=") + 1;
    script.replace(line, script.find('\n', line) - line, "macrobench=" + says.string());
    script.insert(script.find("\nmodule load"), "\nmodule() { printf '%s\\0' \"$@\"; }");
    // What is shown to be typed for the merge is run as well.
    const std::size_t wrap = script.find("--wrap=");
    const std::string wrapped = script.substr(wrap, script.find('\n', wrap) - wrap);
    script.replace(script.find("exec \"$macrobench\""), 4, "");
    std::string merge = wrapped;
    for (std::size_t at = 0; (at = merge.find(executable_path(), at)) != std::string::npos;) {
      merge.replace(at, std::string(executable_path()).size(), says.string());
    }
    script += "wrap() { sh -c \"${1#--wrap=}\"; }\nwrap " + merge + "\n";
    const std::string output = by_bash("export SLURM_ARRAY_TASK_ID=2\n" + script);
    std::string expected;
    for (const std::string& word :
         {std::string("load"), "m" + text, std::string("sweep"), std::string("newton"),
          std::string("--results"), "./" + text, std::string("--shared"), std::string("--part"),
          std::string("2/3"), std::string("merge"), std::string("--results"), "./" + text}) {
      expected += word + '\0';
    }
    EXPECT_EQ(output, expected) << script;
    EXPECT_FALSE(fs::exists(folder.path() / "made")) << text;
  }
}

}  // namespace
}  // namespace macrobench
