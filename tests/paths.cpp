#include "tests/paths.hpp"

#include <cstdlib>

namespace macrobench {

namespace {

/// What the tests expect does not depend on what else the machine does: no time is judged, in this
/// process or in the processes that it runs.
[[maybe_unused]] const int judges_nothing = ::setenv("MACROBENCH_PROC", "none", 0);

}  // namespace

// The only source whose compilation depends on where the tree lies: what a compiler cache has of
// the others serves every copy of it.
std::string source_folder() {
  return MACROBENCH_SOURCE_DIR;
}

std::string executable_path() {
  return MACROBENCH_EXECUTABLE;
}

std::string test_executables_folder() {
  return MACROBENCH_TEST_EXECUTABLES_DIR;
}

}  // namespace macrobench
