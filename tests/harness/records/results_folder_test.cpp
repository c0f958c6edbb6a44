#include "harness/records/results_folder.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/records/record_store.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

class ResultsFolderTest : public testing::Test {
 protected:
  /// Makes a machine's folder.
  fs::path make(const fs::path& name) const {
    RecordStore(results() / name).append(a_record("a"), a_machine());
    return results() / name;
  }
  [[nodiscard]] fs::path results() const { return scratch.path() / "results"; }

  TemporaryFolder scratch;
};

TEST_F(ResultsFolderTest, ReferenceMachinesAreReadAfterTheUsers) {
  const fs::path reference = make("reference/amd_epyc_2_cores");
  const fs::path own = make("amd_epyc_2_cores_123456");
  EXPECT_THAT(machine_folders_in(results()), ElementsAre(own, reference));
  EXPECT_TRUE(is_reference(reference));
  EXPECT_FALSE(is_reference(own));
  EXPECT_EQ(shown_name(reference), "reference/amd_epyc_2_cores");
  EXPECT_EQ(shown_name(own), "amd_epyc_2_cores_123456");
}

TEST_F(ResultsFolderTest, FindsMachinesByShorterNames) {
  const fs::path reference = make("reference/amd_epyc_2_cores");
  EXPECT_EQ(find_machine_folder(results()), reference) << "the only one in it";
  const fs::path gpu = make("reference/xeon_nvidia_h100");
  EXPECT_THAT(complaint_of([&] { find_machine_folder(results()); }), HasSubstr("in it there are"));
  EXPECT_EQ(find_machine_folder(results() / "h100"), gpu);
  EXPECT_EQ(find_machine_folder(results() / "amd"), reference);
  const fs::path own = make("amd_epyc_2_cores_123456");
  EXPECT_EQ(find_machine_folder(results() / "amd_epyc_2_cores"), reference) << "its whole name";
  EXPECT_EQ(find_machine_folder(results() / "123456"), own);
  EXPECT_THAT(complaint_of([&] { find_machine_folder(results() / "epyc"); }),
              AllOf(HasSubstr("more than one machine's name contains that"),
                    HasSubstr("amd_epyc_2_cores_123456, reference/amd_epyc_2_cores")));
  EXPECT_THAT(complaint_of([&] { find_machine_folder(results() / "k40"); }),
              HasSubstr("reference/xeon_nvidia_h100"));
}

TEST_F(ResultsFolderTest, ABareNameIsLookedForInResults) {
  const fs::path gpu = make("reference/xeon_nvidia_h100");
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  EXPECT_TRUE(fs::equivalent(find_machine_folder("h100"), gpu));
  const std::string error = complaint_of([] { find_machine_folder("k40"); });
  fs::current_path(before);
  EXPECT_THAT(error, HasSubstr("there are reference/xeon_nvidia_h100"));
}

TEST_F(ResultsFolderTest, WhatMayNotBeLookedIntoIsNotEmpty) {
  const fs::path machine = make("machine");
  make("other");
  fs::permissions(machine, fs::perms::none);
  fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  const bool is_root = ::geteuid() == 0;
  constexpr ::uid_t nobody = 65534;
  ASSERT_TRUE(!is_root || ::seteuid(nobody) == 0) << "root may look anywhere";
  const std::string of_machine = failure_of([&] { find_machine_folder(machine); });
  const std::string of_all = failure_of([&] { machine_folders_in(results()); });
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  fs::permissions(machine, fs::perms::owner_all);
  EXPECT_THAT(of_machine, StartsWith(machine.string() + ": permission denied"));
  EXPECT_THAT(of_all, AllOf(StartsWith(results().string()), HasSubstr(": permission denied")));
}

TEST_F(ResultsFolderTest, AnOwnFolderIsInNoMachinesFolder) {
  const fs::path reference = make("reference/amd_epyc_2_cores");
  EXPECT_EQ(own_folder(results(), a_machine()), results() / a_machine().own_name());
  for (const fs::path& folder : {results() / "reference", reference}) {
    EXPECT_THAT(complaint_of([&] { own_folder(folder, a_machine()); }),
                AllOf(HasSubstr("what the repository ships is there, and no run writes to it"),
                      HasSubstr("--results " + results().string())));
  }
  const fs::path own = make(a_machine().own_name());
  EXPECT_THAT(complaint_of([&] { own_folder(own, a_machine()); }),
              HasSubstr("it is a machine's own folder"));
}

TEST_F(ResultsFolderTest, NoOwnNameIsThatOfAReferenceMachine) {
  const fs::path shipped = fs::path(source_folder()) / "results" / "reference";
  const std::vector<fs::path> folders = machine_folders_in(shipped);
  EXPECT_GE(folders.size(), 3u);
  for (const fs::path& folder : folders) {
    for (const auto& [id, machine] : read_results(folder).machines) {
      EXPECT_EQ(machine.slug(), folder_name(folder)) << "a reference has its kind's name";
      EXPECT_NE(machine.own_name(), folder_name(folder));
    }
  }
}

}  // namespace
}  // namespace macrobench
