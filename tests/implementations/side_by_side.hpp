#pragma once

// A README's table quotes programs side by side; what it quotes must be in them.

#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {

inline std::string text_of(const std::string& file) {
  std::ifstream stream(source_folder() + "/" + file);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// "| a | b |" as {"a", "b"}
inline std::vector<std::string> cells_of(const std::string& line) {
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

/// Holds the table whose header is "| | NAME | .." to the files, one for each NAME, and returns how
/// many quotes it has.
inline int quotes_that_are_there(const std::string& readme, const std::vector<std::string>& files) {
  std::istringstream text(text_of(readme));
  std::string header = "| |";
  for (const std::string& file : files) header += " " + file.substr(file.rfind('/') + 1) + " |";
  std::string line;
  while (std::getline(text, line) && line != header) {
  }
  EXPECT_EQ(line, header) << readme;
  int quoted = 0;
  std::getline(text, line);  // the rule under the header
  while (std::getline(text, line) && line.starts_with('|')) {
    const std::vector<std::string> row = cells_of(line);
    EXPECT_EQ(row.size(), files.size() + 1) << line;
    for (std::size_t k = 1; k < row.size() && k <= files.size(); ++k) {
      if (row[k].empty()) continue;
      EXPECT_THAT(text_of(files[k - 1]), HasSubstr(row[k].substr(1, row[k].size() - 2)))
          << files[k - 1];
      ++quoted;
    }
  }
  return quoted;
}

}  // namespace macrobench
