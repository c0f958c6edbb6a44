#include "harness/files/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>

#include "tests/environment_scope.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsEmptyAndGoesWithAllThatIsInIt) {
  std::optional<TemporaryFolder> folder(std::in_place);
  const fs::path path = folder->path();
  EXPECT_TRUE(fs::is_empty(path));
  fs::create_directory(path / "inner");
  std::ofstream(path / "inner" / "file") << "text";
  EXPECT_NE(TemporaryFolder().path(), path);
  EXPECT_TRUE(fs::exists(path / "inner" / "file")) << "another one leaves it alone";
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

/// The folder of a process that ends without a word.
fs::path left_behind() {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const TemporaryFolder folder;
    const std::string name = folder.path();
    ::_exit(::write(ends[1], name.data(), name.size()) > 0 ? 0 : 1);
  }
  ::close(ends[1]);
  char name[4096];
  const ssize_t length = ::read(ends[0], name, sizeof name);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return std::string(name, length > 0 ? static_cast<std::size_t>(length) : 0);
}

TEST(TemporaryFolder, ThatAKilledProcessLeftGoesWithTheNext) {
  const TemporaryFolder room;
  const EnvironmentScope here("TMPDIR", room.path());
  const fs::path left = left_behind();
  ASSERT_TRUE(fs::is_directory(left)) << left;
  const TemporaryFolder next;
  EXPECT_FALSE(fs::exists(left));
}

/// On a cluster many hosts may share the folder, and no process of one is known on another.
TEST(TemporaryFolder, OfAnotherHostStays) {
  const TemporaryFolder room;
  const EnvironmentScope here("TMPDIR", room.path());
  const fs::path left = left_behind();
  ASSERT_TRUE(fs::is_directory(left)) << left;
  const std::string own = left.filename();
  const std::size_t host = own.find('_') + 1;
  std::string other = own;
  other[host] = own[host] == 'f' ? 'e' : 'f';
  fs::rename(left, room.path() / other);
  const TemporaryFolder next;
  EXPECT_TRUE(fs::exists(room.path() / other));
}

}  // namespace
}  // namespace macrobench
