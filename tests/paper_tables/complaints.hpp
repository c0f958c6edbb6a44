#pragma once

// What is said of many bad files, one to a line.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {

/// Lines "POINTER PATCH => what is said after the pointer", "." for the whole file; "..." at the
/// end stands for any, and a line that begins with a space goes on with the one before.
template <class Complaint>
void expect_complaints(const std::string& file, const nlohmann::json& right, Complaint complaint,
                       const std::string& cases) {
  EXPECT_EQ(complaint(right), "");
  std::istringstream lines(std::regex_replace(cases, std::regex("\n +"), " "));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t space = line.find(' ');
    const std::size_t arrow = line.find(" => ");
    const std::string at = line.starts_with(". ") ? "" : line.substr(0, space);
    const std::string patch = line.substr(space, arrow - space);
    const std::string says = fmt::format("{} at {}{}", file, at, line.substr(arrow + 4));
    const std::string found = complaint(Spoilt{at.c_str(), patch.c_str(), ""}.of(right));
    if (says.ends_with("...")) {
      EXPECT_THAT(found, HasSubstr(says.substr(0, says.size() - 3))) << line;
    } else {
      EXPECT_THAT(found, EndsWith(says)) << line;
    }
  }
}

}  // namespace macrobench
