// What is written where: through no link that a stranger made, and through those that the user
// names.

#include "harness/files/output_folder.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "harness/files/whole_file.hpp"
#include "harness/records/record_store.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

class Written : public testing::Test {
 protected:
  Written() { write_file(victim(), "dear"); }

  [[nodiscard]] fs::path victim() const { return scratch.path() / "victim"; }
  [[nodiscard]] fs::path results() const { return scratch.path() / "results"; }

  [[nodiscard]] std::vector<std::string> names_in(const fs::path& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  TemporaryFolder scratch;
};

TEST_F(Written, AFileIsWholeAndAlone) {
  const OutputFolder folder(results());
  folder.write("a", "one");
  folder.write("a", "two");
  EXPECT_EQ(content_of(results() / "a"), "two");
  EXPECT_THAT(names_in(results()), ElementsAre("a"));
}

TEST_F(Written, ALinkIsReplacedAndNotFollowed) {
  const OutputFolder folder(results());
  fs::create_symlink(victim(), results() / "a");
  folder.write("a", "new");
  EXPECT_EQ(content_of(victim()), "dear");
  EXPECT_EQ(content_of(results() / "a"), "new");
  EXPECT_FALSE(fs::is_symlink(results() / "a"));
}

TEST_F(Written, NoNameBesideAFileIsPredictable) {
  fs::create_directories(results());
  fs::create_symlink(victim(), results() / "a.unfinished");
  OutputFolder(results()).write("a", "new");
  EXPECT_EQ(content_of(victim()), "dear");
}

TEST_F(Written, ALinkedFolderIsRefused) {
  const OutputFolder folder(results());
  fs::create_directories(scratch.path() / "elsewhere");
  fs::create_directory_symlink(scratch.path() / "elsewhere", results() / "tables");
  EXPECT_THAT(failure_of([&] { static_cast<void>(folder.folder("tables")); }),
              AllOf(HasSubstr("tables: it is a link"), HasSubstr("remove it")));
  EXPECT_THAT(names_in(scratch.path() / "elsewhere"), IsEmpty());
  EXPECT_EQ(failure_of([&] { folder.folder("figures").write("a", "new"); }), "");
}

TEST_F(Written, ANameDoesNotLeadElsewhere) {
  const OutputFolder folder(results());
  for (const char* name : {"../victim", "/etc/victim", "..", ".", "", "a/b"}) {
    EXPECT_THAT(failure_of([&] { folder.write(name, "new"); }), HasSubstr("is not the name"));
    EXPECT_THAT(failure_of([&] { static_cast<void>(folder.folder(name)); }),
                HasSubstr("is not the name"));
  }
  EXPECT_EQ(content_of(victim()), "dear");
}

TEST_F(Written, TheFolderThatTheUserNamesMayBeALink) {
  fs::create_directories(scratch.path() / "elsewhere");
  fs::create_directory_symlink(scratch.path() / "elsewhere", results());
  OutputFolder(results()).write("a", "new");
  EXPECT_EQ(content_of(scratch.path() / "elsewhere" / "a"), "new");
}

TEST_F(Written, TheUsersOwnLinkIsFollowed) {
  fs::create_symlink("victim", scratch.path() / "link");
  fs::create_symlink("link", scratch.path() / "link to it");
  write_whole(scratch.path() / "link to it", "new");
  EXPECT_EQ(content_of(victim()), "new");
  EXPECT_TRUE(fs::is_symlink(scratch.path() / "link"));

  fs::create_symlink("not yet", scratch.path() / "early");
  write_whole(scratch.path() / "early", "new");
  EXPECT_EQ(content_of(scratch.path() / "not yet"), "new");

  fs::create_symlink("loop", scratch.path() / "loop");
  EXPECT_THAT(failure_of([&] { write_whole(scratch.path() / "loop", "new"); }),
              HasSubstr("it cannot be written"));
}

TEST_F(Written, APipeIsWrittenToAndStays) {
  const fs::path pipe = scratch.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content_of(pipe); });
  write_whole(pipe, "through it");
  reader.join();
  EXPECT_EQ(read, "through it");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Written, ADeviceStaysOne) {
  write_whole("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(failure_of([] { write_whole("/dev/full", "more"); }), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Written, NoFileOfAResultsFolderIsALink) {
  for (const char* name : {"records.jsonl", "machines.jsonl", "campaigns.jsonl", ".lock"}) {
    fs::remove_all(results());
    fs::create_directories(results());
    fs::create_symlink(victim(), results() / name);
    EXPECT_THAT(failure_of([&] { RecordStore store(results()); }), HasSubstr("it is a link"))
        << name;
    EXPECT_EQ(content_of(victim()), "dear") << name;
  }
  fs::remove_all(results());
  fs::create_directories(scratch.path() / "elsewhere");
  fs::create_directory_symlink(scratch.path() / "elsewhere", results());
  EXPECT_THAT(failure_of([&] { RecordStore store(results()); }), HasSubstr("it is a link"));
  EXPECT_THAT(names_in(scratch.path() / "elsewhere"), IsEmpty());
}

TEST_F(Written, AFolderThatVanishesStopsTheRun) {
  RecordStore store(results());
  store.append(a_record("first"), a_machine());
  fs::remove_all(results());
  EXPECT_THAT(
      failure_of([&] { store.append(a_record("second"), a_machine()); }),
      AllOf(HasSubstr("records.jsonl: it was removed or replaced"), HasSubstr("start again")));
}

}  // namespace
}  // namespace macrobench
