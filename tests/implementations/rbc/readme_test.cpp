#include "tests/implementations/side_by_side.hpp"

namespace macrobench::rbc {
namespace {

TEST(RbcReadme, QuotesWhatIsInTheFiles) {
  EXPECT_GT(quotes_that_are_there("implementations/rbc/README.md",
                                  {"implementations/rbc/published/serial.hpp",
                                   "implementations/rbc/published/thrust.hpp",
                                   "implementations/rbc/published/cuda_c.cu"}),
            25);
}

}  // namespace
}  // namespace macrobench::rbc
