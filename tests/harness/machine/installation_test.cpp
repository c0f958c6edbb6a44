#include "harness/machine/installation.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "tests/environment_scope.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

const std::string machine_id = "0123456789abcdef0123456789abcdef";

TEST(Installation, IsMadeFromTheMachineIdWhichItDoesNotTell) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "machine-id";
  write_file(file, machine_id + "\n");
  const Installation found = installation_by_machine_id(file);
  // echo -n "$purpose" | openssl dgst -sha256 -hmac "$machine_id"
  EXPECT_EQ(found.id, "aa4de3c30d628e478630889a6680348b");
  EXPECT_EQ(found.from, "machine-id");
  write_file(file, "1" + machine_id.substr(1));
  EXPECT_NE(installation_by_machine_id(file), found);
  for (const char* none : {"", "uninitialized\n", "00000000000000000000000000000000\n", "0123\n",
                           "0123456789abcdef0123456789abcdeg\n"}) {
    write_file(file, none);
    EXPECT_EQ(installation_by_machine_id(file), Installation{}) << none;
  }
  EXPECT_EQ(installation_by_machine_id(folder.path() / "missing"), Installation{});
  EXPECT_EQ(installation_by_machine_id(folder.path()), Installation{}) << "a folder";
}

TEST(Installation, IsDrawnOnceWhereThereIsNoMachineId) {
  const TemporaryFolder folder;
  const Installation drawn = installation_by_state(folder.path() / "state");
  EXPECT_EQ(drawn.id.size(), 32u);
  EXPECT_EQ(drawn.from, "state");
  EXPECT_EQ(installation_by_state(folder.path() / "state"), drawn);
  EXPECT_NE(installation_by_state(folder.path() / "another"), drawn);
  write_file(folder.path() / "state/macrobench/installation", "torn");
  EXPECT_EQ(installation_by_state(folder.path() / "state").id.size(), 32u);
  EXPECT_EQ(installation_by_state(""), Installation{});
  write_file(folder.path() / "file", "");
  EXPECT_EQ(installation_by_state(folder.path() / "file"), Installation{}) << "no folder";
}

TEST(Installation, IsAnotherOneOnEachHostThatSharesAHome) {
  const TemporaryFolder folder;
  const std::string before = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  fs::create_directory(folder.path() / "macrobench");
  write_file(folder.path() / "macrobench/installation", before);
  const Installation first = installation_by_state(folder.path(), "node_a");
  EXPECT_EQ(first.id, before) << "the file from before hosts had one each";
  const Installation second = installation_by_state(folder.path(), "node_b");
  EXPECT_EQ(second.id.size(), 32U);
  EXPECT_NE(first, second);
  EXPECT_EQ(installation_by_state(folder.path(), "node_a"), first);
  EXPECT_EQ(installation_by_state(folder.path(), "node_b"), second);
  EXPECT_EQ(installation_by_state(folder.path(), "../../x").id.size(), 32U);
  EXPECT_FALSE(std::filesystem::exists(folder.path().parent_path() / "x"));
}

TEST(Installation, IsOneInAContainerWhateverItsHostIsCalled) {
  const TemporaryFolder folder;
  const Installation drawn = installation_by_state(folder.path(), "0a1b2c3d4e5f");
  EXPECT_EQ(installation_by_state(folder.path(), "5f4e3d2c1b0a"), drawn);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "macrobench/installation"));
}

TEST(Installation, IsWhatTheUserCallsEqualMachines) {
  const auto called = [](const char* name) {
    const EnvironmentScope scope(installation_variable, name);
    return this_installation();
  };
  EXPECT_EQ(called("cluster gpu").from, "name");
  EXPECT_EQ(called("cluster gpu"), called("cluster gpu"));
  EXPECT_NE(called("cluster gpu"), called("cluster cpu"));
  EXPECT_EQ(this_installation(), this_installation());
}

}  // namespace
}  // namespace macrobench
