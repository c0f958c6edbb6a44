#include <fstream>
#include <iterator>
#include <string>

#include "tests/certificates/mutants.hpp"
#include "tests/paths.hpp"

namespace macrobench {

void expect_in_evidence(const std::string& row) {
  std::ifstream file(source_folder() + "/docs/evidence.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find(row + "\n"), std::string::npos)
      << "the table of docs/evidence.md needs this row:\n"
      << row;
}

}  // namespace macrobench
