// The main() of every GoogleTest executable: the solvers in programs/ are implementations too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/programs/program_models.hpp"

int main(int argc, char** argv) {
  // Before GoogleTest asks what there is to test.
  macrobench::add_programs(macrobench::usual_program_folders());
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
