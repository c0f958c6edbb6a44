// The README quotes the programs side by side; what it quotes must be in them.

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench::newton {
namespace {

const std::string folder = source_folder() + "/implementations/newton/";

std::string text_of(const std::string& file) {
  std::ifstream stream(folder + file);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// "| a | b |" as {"a", "b"}
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    all.push_back(first == std::string::npos
                      ? ""
                      : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return all;
}

TEST(NewtonReadme, QuotesWhatIsInTheFiles) {
  std::istringstream readme(text_of("README.md"));
  std::string line;
  while (std::getline(readme, line) && !line.starts_with("| | maximize.m")) {
  }
  std::vector<std::string> files = cells(line);
  ASSERT_EQ(files.size(), 5U);
  files[1] = "../../programs/newton/octave/" + files[1];
  int quoted = 0;
  std::getline(readme, line);  // the rule under the header
  while (std::getline(readme, line) && line.starts_with('|')) {
    const std::vector<std::string> row = cells(line);
    ASSERT_EQ(row.size(), files.size()) << line;
    for (std::size_t k = 1; k < row.size(); ++k) {
      if (row[k].empty()) continue;
      EXPECT_THAT(text_of(files[k]), HasSubstr(row[k].substr(1, row[k].size() - 2))) << files[k];
      ++quoted;
    }
  }
  EXPECT_GT(quoted, 15);
}

}  // namespace
}  // namespace macrobench::newton
