#include "tests/paths.hpp"

namespace macrobench {

// The only source whose compilation depends on where the tree lies: what a compiler cache has of
// the others serves every copy of it.
std::string source_folder() {
  return MACROBENCH_SOURCE_DIR;
}

std::string program_path() {
  return MACROBENCH_PROGRAM;
}

std::string test_programs_folder() {
  return MACROBENCH_TEST_PROGRAMS_DIR;
}

}  // namespace macrobench
