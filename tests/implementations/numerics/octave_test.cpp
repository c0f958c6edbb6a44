#include "implementations/numerics/octave.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace macrobench::numerics {
namespace {

class OctaveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = no_octave_here(); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(OctaveTest, AnswersInLinesAndInNumbers) {
  Octave octave;
  octave.send("printf(\"%d\\n\", 6 * 7); fwrite(stdout, [0.1, -2], 'double'); fflush(stdout);\n");
  EXPECT_EQ(octave.read_line(), "42");
  std::vector<double> values(2);
  octave.read(values);
  EXPECT_EQ(values, (std::vector<double>{0.1, -2}));
}

TEST_F(OctaveTest, SaysSoWhenItHasEnded) {
  Octave octave;
  octave.send("exit\n");
  EXPECT_THROW(octave.read_line(), std::runtime_error);
}

TEST_F(OctaveTest, EndsAtAnErrorInsteadOfAnsweringWrongly) {
  Octave octave;
  octave.send("no_such_function(1);\nputs(\"ready\\n\"); fflush(stdout);\n");
  EXPECT_THROW(octave.read_line(), std::runtime_error);
}

TEST(OctaveMissing, SaysHowToGetIt) {
  const char* set = std::getenv("PATH");
  const std::string path = set == nullptr ? "" : set;
  setenv("PATH", "/nowhere", 1);
  const std::string why = no_octave_here();
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(why.find("OCTAVE=on"), std::string::npos) << why;
}

}  // namespace
}  // namespace macrobench::numerics
