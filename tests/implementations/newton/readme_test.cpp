#include "tests/implementations/side_by_side.hpp"

namespace macrobench::newton {
namespace {

TEST(NewtonReadme, QuotesWhatIsInTheFiles) {
  EXPECT_GT(quotes_that_are_there(
                "implementations/newton/README.md",
                {"programs/newton/octave/maximize.m", "implementations/newton/serial.cpp",
                 "implementations/newton/cuda_c.cu", "implementations/newton/thrust.hpp"}),
            15);
}

}  // namespace
}  // namespace macrobench::newton
