// The papers' Matlab programs, which GNU Octave runs.

#include <string>

#include "harness/process/child_process.hpp"
#include "harness/programs/manifest.hpp"
#include "tests/environment_scope.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

std::string folder_of(const std::string& model) {
  return source_folder() + "/programs/" + model + "/octave";
}

TEST(Octave, WhereItIsMissingSaysHowToGetIt) {
  const EnvironmentScope nowhere("PATH", "/nowhere");
  for (const char* model : {"rbc", "newton"}) {
    EXPECT_EQ(read_manifest(folder_of(model)).unavailable(),
              "GNU Octave is not installed (make replicate OCTAVE=on installs it)");
  }
}

// What it solves is tested with its model, as every implementation is.
TEST(Octave, ConversesAsTheContractSays) {
  if (!can_be_started("octave-cli")) GTEST_SKIP() << "GNU Octave is not installed";
  const Answer answer = macrobench("check-program '" + folder_of("newton") + "'");
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("GNU Octave"), HasSubstr("right  it loads, solves and writes"),
                    HasSubstr("right  it ends at 'bye'"), Not(HasSubstr("WRONG  it"))));
}

}  // namespace
}  // namespace macrobench
