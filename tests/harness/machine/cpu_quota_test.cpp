// A control group's quota on CPU time, in both versions of the kernel's files.

#include "harness/machine/cpu_quota.hpp"

#include <filesystem>
#include <string>

#include "harness/files/temporary_folder.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

class Groups : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    write_file(folder_.path() / file, text);
  }
  /// 0 without one.
  double cores(const char* groups) {
    const std::optional<CpuQuota> quota = cpu_quota_in(folder_.path(), groups);
    return quota ? quota->cores : 0;
  }

  TemporaryFolder folder_;
};

TEST_F(Groups, OfVersion2SayTheirQuotaInOneFile) {
  write("cpu.max", "max 100000\n");
  write("a/cpu.max", "150000 100000\n");
  write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cores("0::/a/b\n"), 1.5) << "that of a group above it";
  EXPECT_EQ(cores("0::/a\n"), 1.5);
  EXPECT_EQ(cores("0::/\n"), 0);
  write("a/b/cpu.max", "20000 100000\n");
  EXPECT_EQ(cores("0::/a/b\n"), .2);
  EXPECT_EQ(cores("0::/not/here/a\n"), 0);
  write("cpu.max", "50000 100000\n");
  EXPECT_EQ(cores("0::/of/the/host\n"), .5) << "a container sees its own group as the root";
  write("unified/a/cpu.max", "10000 100000\n");
  EXPECT_EQ(cores("0::/a\n"), .1) << "beside version 1";
}

TEST_F(Groups, OfVersion1SayItInTwo) {
  write("cpu,cpuacct/a/cpu.cfs_quota_us", "20000\n");
  write("cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  write("cpu/b/cpu.cfs_quota_us", "-1\n");
  write("cpu/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores("7:memory:/a\n4:cpu,cpuacct:/a\n0::/\n"), .2);
  EXPECT_EQ(cores("4:cpu:/b\n"), 0);
  EXPECT_EQ(cores("4:cpuset:/a\n"), 0);
}

TEST_F(Groups, ThatSayNothingHaveNone) {
  EXPECT_EQ(cores(""), 0);
  EXPECT_EQ(cores("0::/\n"), 0);
  for (const char* text :
       {"", "max\n", "20000\n", "0 100000\n", "20000 0\n", "torn", "-1 100000\n"}) {
    write("cpu.max", text);
    EXPECT_EQ(cores("0::/\n"), 0) << text;
  }
}

TEST_F(Groups, CountTheSecondsThatTheyHoldBack) {
  const auto seconds = [&](const std::string& text) {
    write("cpu.stat", text);
    return throttled_seconds({.cores = 1, .folder = folder_.path()});
  };
  EXPECT_EQ(seconds("usage_usec 5\nnr_throttled 2\nthrottled_usec 2500000\n"), 2.5);
  EXPECT_EQ(seconds("nr_periods 3\nthrottled_time 500000000\n"), .5);
  EXPECT_EQ(seconds("nr_periods 3\n"), std::nullopt);
  EXPECT_EQ(throttled_seconds({.cores = 1, .folder = folder_.path() / "nowhere"}), std::nullopt);
}

}  // namespace
}  // namespace macrobench
