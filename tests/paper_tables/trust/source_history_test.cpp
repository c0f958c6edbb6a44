// Which sources a repository's history knows.

#include "paper_tables/trust/source_history.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/programs/manifest.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/strings.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

/// A repository of two commits, the second of which is on another branch.
class History : public ::testing::Test {
 protected:
  History() {
    write_file(repository() / "cmake/source_state.cmake",
               "file(GLOB programs \"${SOURCE}/harness/programs/*.?pp\")\n"
               "list(APPEND files ${programs})\nlist(APPEND files\n  harness/model/outcome.hpp)\n");
    write_file(repository() / "harness/programs/manifest.hpp", "struct Manifest;\n");
    write_file(repository() / "harness/programs/README.md", "not counted\n");
    write_file(repository() / "harness/model/outcome.hpp", "struct Outcome;\n");
    write_file(repository() / "harness/sources/source_digest.cpp", "the rule\n");
    write_file(repository() / "harness/other.hpp", "not counted\n");
    write_file(repository() / "implementations/rbc/serial.cpp",
               "# include \"implementations/rbc/model.hpp\"\n");
    write_file(repository() / "implementations/rbc/model.hpp", "int nk;\n");
    write_file(repository() / "programs/rbc/mine/program.json", manifest);
    write_file(repository() / "programs/rbc/mine/solve.py", "print('mb1 ok')\n");
    git("init -q -b main");
    commit_ = commit("one");
    write_file(repository() / "implementations/rbc/model.hpp", "int more;\n");
    git("checkout -q -b aside");
    aside_ = commit("two");
    git("checkout -q main");
  }

  [[nodiscard]] fs::path repository() const { return scratch_.path(); }
  std::string git(const std::string& arguments) const {
    const std::string command =
        "git -C '" + repository().string() + "' -c user.name=a -c user.email=a@b " + arguments;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 256> text{};
    const std::size_t length = std::fread(text.data(), 1, text.size(), pipe);
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return {text.data(), length};
  }
  [[nodiscard]] std::string commit(const std::string& message) const {
    git("add -A");
    git("commit -q -m " + message);
    return std::string(trim(git("rev-parse HEAD")));
  }

  /// A record of the sources of the first commit, by this build's own rule.
  [[nodiscard]] static Record a_record(const Machine& machine) {
    const std::string model = sha256("int nk;\n");
    const std::string serial = sha256("# include \"implementations/rbc/model.hpp\"\n");
    const std::string outcome = sha256("struct Outcome;\n");
    const std::vector<SourceFile> files{
        {"harness/model/outcome.hpp", outcome, {}},
        {"implementations/rbc/model.hpp", model, {}},
        {"implementations/rbc/serial.cpp", serial, {"implementations/rbc/model.hpp"}}};
    Record record = record_of("serial", {}, {1});
    record.source = digest_of("implementations/rbc/serial.cpp", files, {"GNU 12", "-O3"}, {});
    static_cast<void>(machine);
    return record;
  }
  [[nodiscard]] static Machine built_from(const std::string& commit) {
    Machine machine = machine_of(2, false);
    machine.block["compiler"] = {{"name", "GNU 12"}, {"flags", "-O3"}};
    machine.block["source"] = {{"commit", commit}, {"dirty", false}};
    return machine;
  }

  static constexpr const char* manifest =
      R"({"contract": "macrobench-program/1", "model": "rbc", "name": "mine", "summary": "mine",)"
      R"( "authors": ["me"], "command": ["python3", "{here}/solve.py"]})";

  TemporaryFolder scratch_;
  std::string commit_, aside_;
};

TEST_F(History, KnowsACommitsSourcesByTheCompilersOfTheBlock) {
  const SourceHistory history(repository());
  const Machine machine = built_from(commit_);
  Record record = a_record(machine);
  EXPECT_EQ(history.why_unknown(record, machine), "");
  Machine other = machine;
  other.block["compiler"]["flags"] = "-Ofast";
  EXPECT_THAT(history.why_unknown(record, other), HasSubstr("have another digest"));
  record.source = sha256("forged");
  EXPECT_THAT(history.why_unknown(record, machine), HasSubstr("have another digest"));
}

TEST_F(History, KnowsTheRuleWhereEarlierCommitsHaveIt) {
  const SourceHistory history(repository());
  const auto why_after = [&](const std::string& move) {
    git("mv " + move);
    const Machine machine = built_from(commit("moved"));
    return history.why_unknown(a_record(machine), machine);
  };
  fs::create_directory(repository() / "harness/records");
  EXPECT_EQ(why_after("harness/sources/source_digest.cpp harness/records/source_digest.cpp"), "");
  EXPECT_THAT(why_after("harness/records/source_digest.cpp harness/source_digest.cpp"),
              HasSubstr("by an earlier rule"));
}

TEST_F(History, KnowsACommitsProgramsByTheirFolders) {
  const SourceHistory history(repository());
  const Machine machine = built_from(commit_);
  Record record = a_record(machine);
  const fs::path program = repository() / "programs/rbc/mine";
  const std::string of_model = record.source;
  record.source = digest_with_folder(of_model, read_manifest(program).digest);
  EXPECT_EQ(history.why_unknown(record, machine), "");
  write_file(program / "solve.py", "print('another')\n");
  record.source = digest_with_folder(of_model, read_manifest(program).digest);
  EXPECT_THAT(history.why_unknown(record, machine), HasSubstr("have another digest"));
}

TEST_F(History, DoesNotKnowWhatIsNotInIt) {
  const SourceHistory history(repository());
  const auto why = [&](const std::string& commit) {
    const Machine machine = built_from(commit);
    return history.why_unknown(a_record(machine), machine);
  };
  EXPECT_THAT(why(aside_), HasSubstr("not in the history"));
  EXPECT_THAT(why(std::string(40, '0')), HasSubstr("not in the history"));
  EXPECT_THAT(why("--upload-pack=touch"), HasSubstr("names no commit"));
  EXPECT_THAT(why("HEAD"), HasSubstr("names no commit"));
  EXPECT_THAT(SourceHistory({}).why_unknown(a_record(built_from(commit_)), built_from(commit_)),
              HasSubstr("no repository"));
}

}  // namespace
}  // namespace macrobench
