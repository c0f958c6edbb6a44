#include "harness/programs/problem_data.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/npy.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/programs/result_folder.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What follows the header of a .npy file.
std::string after_header(const std::string& npy) {
  return npy.substr(npy.find('\n') + 1);
}

TEST(ProblemData, HasEachNumberInTextAndJson) {
  const TemporaryFolder folder;
  ProblemData data;
  data.add("beta", 0.1);
  data.add("gamma", 1.0);
  data.add("n", 7);
  data.add("way", std::string("straight"));
  data.write_to(folder.path());
  EXPECT_EQ(content(folder.path() / "problem.txt"),
            "beta 0.10000000000000001\ngamma 1\nn 7\nway straight\n");
  const nlohmann::json json = nlohmann::json::parse(content(folder.path() / "problem.json"));
  EXPECT_EQ(json.at("beta"), 0.1);
  EXPECT_EQ(json.at("way"), "straight");
}

TEST(ResultFolder, ReadsArraysInFortransOrder) {
  const TemporaryFolder folder;
  const std::vector<std::size_t> shape{2, 3, 4};
  std::vector<double> wanted(24);
  std::vector<double> in_file(24);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        const auto value = static_cast<double>(100 * i + 10 * j + k);
        wanted[(i * 3 + j) * 4 + k] = value;
        in_file[i + 2 * (j + 3 * k)] = value;
      }
    }
  }
  std::string header = npy_header("<f8", shape);
  header.replace(header.find("False"), 5, "True ");
  std::ofstream(folder.path() / "V.npy", std::ios::binary)
      << header
      << std::string_view(reinterpret_cast<const char*>(in_file.data()), 24 * sizeof(double));
  std::vector<double> read;
  ResultFolder(folder.path()).array("V", shape, read);
  EXPECT_EQ(read, wanted);
}

TEST(ProblemData, HasArraysOfRealAndWholeNumbersAndOfBytes) {
  const TemporaryFolder folder;
  ProblemData data;
  data.add("x", {{"i", 2}}, std::vector{0.5, -1.0});
  data.add("n", {{"i", 1}, {"j", 2}}, std::vector<std::int32_t>{-3, 70'000});
  data.add("b", {{"i", 3}, {"j", 1}}, std::vector<std::uint8_t>{0, 1, 255});
  data.write_to(folder.path());
  EXPECT_EQ(data.bytes(), 16U + 8 + 3);
  EXPECT_THAT(content(folder.path() / "problem.txt"),
              HasSubstr("shape_x 2\nshape_n 1 2\nshape_b 3 1\n"));
  EXPECT_EQ(content(folder.path() / "x.txt"), "0.5\n-1\n");
  EXPECT_EQ(content(folder.path() / "n.txt"), "-3\n70000\n");
  EXPECT_EQ(content(folder.path() / "b.txt"), "0\n1\n255\n");
  EXPECT_EQ(content(folder.path() / "b.bin"), std::string("\0\1\377", 3));
  const std::string npy = content(folder.path() / "b.npy");
  EXPECT_THAT(npy.substr(10),
              StartsWith("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1)"));
  EXPECT_EQ(after_header(npy), std::string("\0\1\377", 3));
  EXPECT_THAT(content(folder.path() / "n.npy"), HasSubstr("'<i4'"));
  EXPECT_THAT(content(folder.path() / "x.npy"), HasSubstr("'<f8'"));
}

TEST(ProblemData, HasNoTextOfAnArrayThatIsTooLong) {
  for (const std::size_t more : {0U, 1U}) {
    const TemporaryFolder folder;
    ProblemData data;
    data.add("b", {{"i", longest_text + more}}, std::vector<std::uint8_t>(longest_text + more, 1));
    data.write_to(folder.path());
    EXPECT_EQ(fs::exists(folder.path() / "b.txt"), more == 0);
    EXPECT_EQ(fs::file_size(folder.path() / "b.bin"), longest_text + more);
    EXPECT_EQ(after_header(content(folder.path() / "b.npy")).size(), longest_text + more);
  }
}

TEST(ProblemData, HasAnEmptyTextOfAnEmptyArray) {
  const TemporaryFolder folder;
  ProblemData data;
  data.add("x", {{"i", 0}}, std::vector<double>());
  data.write_to(folder.path());
  EXPECT_EQ(content(folder.path() / "x.txt"), "");
  EXPECT_TRUE(fs::exists(folder.path() / "x.txt"));
}

}  // namespace
}  // namespace macrobench
