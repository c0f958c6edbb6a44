// What two commits have in common, in a repository of a model that has this build's names.

#include "harness/regress/commit_pair.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/regress/history.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

class Commits : public ::testing::Test {
 protected:
  Commits() {
    write("cmake/source_state.cmake", "list(APPEND files\n  harness/run/sampler.cpp)\n");
    write("harness/run/sampler.cpp", "the timing loop\n");
    write("harness/run/progress.cpp", "a bar\n");
    write("CMakeLists.txt", "-O3\n");
    write("paper_tables/CMakeLists.txt", "tables\n");
    for (const std::string model : {"newton", "rbc"}) {
      const std::string folder = "implementations/" + model + "/";
      write(folder + "serial.cpp", "#include \"" + folder + "model.hpp\"\n");
      write(folder + "thrust_omp.cpp", "#include \"" + folder + "model.hpp\"\n");
      write(folder + "model.hpp", "the economics\n");
      write(folder + "README.md", "words\n");
      write(folder + "CMakeLists.txt", "its files\n");
    }
    git("init -q -b main");
    commit("base");
  }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((repository() / file).parent_path());
    write_file(repository() / file, text);
  }
  void commit(const std::string& tag) const {
    git("add -A");
    git("commit -q --allow-empty -m " + tag);
    git("tag " + tag);
  }
  /// The ids of those that are the same after this change of a file.
  [[nodiscard]] std::string same_after(const std::string& file) const {
    write(file, "another text\n");
    commit("head");
    const CommitPair commits(repository(), "base", "head");
    EXPECT_EQ(commits.base().size(), 40U);
    EXPECT_NE(commits.base(), commits.head());
    std::string same;
    for (const char* id : {"newton/serial", "newton/thrust_omp", "rbc/serial"}) {
      if (commits.has_same(Registry::global().implementation(id))) same += std::string(id) + " ";
    }
    return same;
  }
  [[nodiscard]] const fs::path& repository() const { return scratch_.path(); }

 private:
  void git(const std::string& arguments) const {
    const std::string command =
        "git -C '" + repository().string() + "' -c user.name=a -c user.email=a@b " + arguments;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  TemporaryFolder scratch_;
};

constexpr const char* all = "newton/serial newton/thrust_omp rbc/serial ";

TEST_F(Commits, WhatDecidesNoResultLeavesAllTheSame) {
  EXPECT_EQ(same_after("implementations/newton/README.md"), all);
}
TEST_F(Commits, SoDoesTheRestOfTheHarness) {
  EXPECT_EQ(same_after("harness/run/progress.cpp"), all);
}
TEST_F(Commits, AndTheTables) {
  EXPECT_EQ(same_after("paper_tables/CMakeLists.txt"), all);
}
TEST_F(Commits, AnImplementationsFileIsItsOwn) {
  EXPECT_EQ(same_after("implementations/newton/serial.cpp"), "newton/thrust_omp rbc/serial ");
}
TEST_F(Commits, AModelsFileIsAllItsImplementations) {
  EXPECT_EQ(same_after("implementations/newton/model.hpp"), "rbc/serial ");
}
TEST_F(Commits, SoAreItsBuildRules) {
  EXPECT_EQ(same_after("implementations/newton/CMakeLists.txt"), "rbc/serial ");
}
TEST_F(Commits, TheTimingLoopIsEverybodys) {
  EXPECT_EQ(same_after("harness/run/sampler.cpp"), "");
}
TEST_F(Commits, SoAreTheBuildsRules) {
  EXPECT_EQ(same_after("CMakeLists.txt"), "");
}
TEST_F(Commits, AndThoseOfTheSharedMathematics) {
  EXPECT_EQ(same_after("implementations/numerics/CMakeLists.txt"), "");
}

TEST_F(Commits, WhatIsNoCommitHasNothingInCommon) {
  const Implementation& serial = Registry::global().implementation("newton/serial");
  for (const char* ref : {"nowhere", "--all", "base:CMakeLists.txt"}) {
    EXPECT_FALSE(CommitPair(repository(), ref, "base").has_same(serial)) << ref;
    EXPECT_FALSE(CommitPair(repository(), "base", ref).has_same(serial)) << ref;
  }
  EXPECT_FALSE(CommitPair(repository(), "", "base").has_same(serial));
  EXPECT_FALSE(CommitPair("/nowhere", "base", "base").has_same(serial));
  EXPECT_TRUE(CommitPair(repository(), "base", "base").has_same(serial));
}

TEST_F(Commits, AreKnownByWhoMadeThemAndWhen) {
  write("README.md", "words\n");
  commit("head");
  const CommitPair commits(repository(), "base", "head");
  History history;
  for (const std::string& commit :
       {commits.head(), std::string(40, '0'), std::string("--all"), commits.base()}) {
    history.steps.emplace_back().commit = commit;
  }
  const macrobench::Commits known = commits_of({history}, repository());
  ASSERT_EQ(known.size(), 2U);
  for (const auto& [commit, subject] :
       {std::pair(commits.base(), "base"), std::pair(commits.head(), "head")}) {
    ASSERT_TRUE(known.contains(commit));
    EXPECT_EQ(known.at(commit).subject, subject);
    EXPECT_EQ(known.at(commit).author, "a");
    EXPECT_TRUE(known.at(commit).time.starts_with("20")) << known.at(commit).time;
  }
  EXPECT_TRUE(commits_of({history}, "/nowhere").empty());
}

TEST_F(Commits, ThisBuildIsOfOtherSources) {
  EXPECT_FALSE(CommitPair(repository(), "base", "")
                   .has_same(Registry::global().implementation("newton/serial")));
}

}  // namespace
}  // namespace macrobench
