#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/records/source_state.hpp"
#include "harness/run/schedule.hpp"
#include "harness/system/process.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

std::vector<SourceFile> sources() {
  return {
      {"harness/model/stages.hpp", "0", {}},
      {"implementations/m/a.cpp", "1", {"implementations/m/model.hpp", "harness/model/stages.hpp"}},
      {"implementations/m/b.cpp", "2", {"other.hpp", "harness/model/registry.hpp"}},
      {"implementations/m/model.cpp", "3", {"implementations/n/maths.hpp"}},
      {"implementations/m/model.hpp", "4", {}},
      {"implementations/m/other.hpp", "5", {"implementations/m/b.cpp"}},
      {"implementations/m/script.cpp", "6", {}},
      {"implementations/m/script/solve.m", "7", {}},
      {"implementations/n/maths.hpp", "8", {}},
      {"implementations/m/chosen.cpp", "9", {"implementations/m/method.hpp"}},
      {"implementations/m/method.hpp", "A", {}},
      {"implementations/m/method/one.cpp", "B", {"implementations/m/method.hpp"}},
      {"implementations/m/method_of_another.cpp", "C", {"implementations/m/method.hpp"}},
      {"implementations/m/chooses.cpp", "D", {"implementations/m/rule/rule.hpp"}},
      {"implementations/m/rule/rule.hpp", "E", {}},
      {"implementations/m/rule/one.cpp", "F", {"implementations/m/rule/rule.hpp"}},
      {"implementations/m/rule/sums.hpp", "G", {}},
      {"implementations/m/rules/other.cpp", "H", {}}};
}

/// The files whose change changes the digest of the file.
std::string seen_by(const std::string& file) {
  const std::string before = digest_of(file, sources());
  std::string seen;
  for (std::size_t i = 0; i < sources().size(); ++i) {
    std::vector<SourceFile> changed = sources();
    changed[i].sha256 = "changed";
    if (digest_of(file, changed) != before) seen += sources()[i].sha256;
  }
  return seen;
}

TEST(SourceDigest, SeesEveryFileBehindAnImplementation) {
  EXPECT_EQ(seen_by("implementations/m/a.cpp"), "01348");
  EXPECT_EQ(seen_by("/home/x/implementations/y/implementations/m/a.cpp"), "01348");
  EXPECT_EQ(seen_by("implementations/m/b.cpp"), "25");
  EXPECT_EQ(seen_by("implementations/m/script.cpp"), "67");
  EXPECT_EQ(seen_by("implementations/m/chosen.cpp"), "9AB") << "a registry's entries";
  EXPECT_EQ(seen_by("implementations/m/chooses.cpp"), "DEFG") << "rule.hpp speaks for rule/";
  EXPECT_EQ(seen_by("implementations/m/unknown.cpp"), "");
  EXPECT_NE(digest_of("implementations/m/unknown.cpp", sources()),
            digest_of("implementations/m/strange.cpp", sources()));
}

TEST(SourceDigest, KnowsTheSourcesOfThisBuild) {
  EXPECT_FALSE(source_files().empty());
  for (const SourceFile& file : source_files()) {
    EXPECT_EQ(file.sha256.size(), 64u) << file.path;
    EXPECT_TRUE(
        std::filesystem::exists(std::string(MACROBENCH_SOURCE_DIR) + "/" + std::string(file.path)))
        << file.path;
  }
}

TEST(SourceDigest, SeesThePolicyMethodsThatAPanelFindsByName) {
  for (const char* panel : {"cpu.cpp", "frontier.cpp", "frontier.cu", "histogram.cpp"}) {
    const std::string file = std::string("implementations/krusell_smith/") + panel;
    const std::string before = digest_of(file, source_files());
    for (const char* part :
         {"policy/egm.cpp", "policy/euler.cpp", "policy/euler_cuda.cu", "policy/policy.cpp",
          "policy/euler_map.cpp", "policy/euler_map.hpp", "outer_loop.cpp", "input/shocks.cpp",
          "input/wealth.cpp", "input/stored.cpp", "input/user_files.cpp"}) {
      std::vector<SourceFile> changed(source_files().begin(), source_files().end());
      const auto found = std::ranges::find(
          changed, std::string("implementations/krusell_smith/") + part, &SourceFile::path);
      ASSERT_NE(found, changed.end()) << part;
      found->sha256 = "changed";
      EXPECT_NE(digest_of(file, changed), before) << panel << ", " << part;
    }
  }
}

TEST(SourceState, IsWrittenOnlyWhereItChanged) {
  const ScratchFolder folder;
  const auto source = folder.path() / "source";
  std::filesystem::create_directories(source / "implementations");
  std::filesystem::create_directories(source / "harness/model");
  write_file(source / "harness/model/stages.hpp", "");
  write_file(source / "harness/model/origin.hpp", "");
  write_file(source / "implementations/a.cpp", "#include <cmath>\n#  include \"b.hpp\"\n");
  const auto make = [&] {
    const ProcessResult made =
        run_process({"cmake",
                     {"cmake", "-DSOURCE=" + source.string(), "-DOUT=" + folder.path().string(),
                      "-P", std::string(MACROBENCH_SOURCE_DIR) + "/cmake/source_state.cmake"},
                     "",
                     60});
    EXPECT_EQ(made.code, 0) << made.output;
    return content_of(folder.path() / "source_state.cpp");
  };
  const std::string first = make();
  EXPECT_NE(first.find("{\"implementations/a.cpp\", \""), std::string::npos) << first;
  EXPECT_NE(first.find("{\"b.hpp\", }"), std::string::npos) << first;
  const auto written = std::filesystem::last_write_time(folder.path() / "source_state.cpp");
  EXPECT_EQ(make(), first);
  EXPECT_EQ(std::filesystem::last_write_time(folder.path() / "source_state.cpp"), written);
  write_file(source / "implementations/a.cpp", "// changed\n");
  EXPECT_NE(make(), first);
}

}  // namespace
}  // namespace macrobench
