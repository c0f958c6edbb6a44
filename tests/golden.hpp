#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace macrobench {

/// Line by line. After a change that is meant, MACROBENCH_UPDATE_GOLDEN=1 writes the file.
inline void expect_golden(const std::filesystem::path& path, const std::string& text) {
  if (std::getenv("MACROBENCH_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ASSERT_TRUE(std::filesystem::exists(path))
      << path << ": MACROBENCH_UPDATE_GOLDEN=1 make test writes it";
  std::ifstream golden(path, std::ios::binary);
  std::istringstream lines(text);
  std::string line, golden_line;
  for (int number = 1; std::getline(golden, golden_line); ++number) {
    std::getline(lines, line);
    ASSERT_EQ(line, golden_line) << path << ", line " << number;
  }
  EXPECT_EQ(text.size(), std::filesystem::file_size(path)) << path;
}

}  // namespace macrobench
