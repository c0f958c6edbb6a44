// What libFuzzer, or replay.cpp in its place, calls once before the first input.

#include "harness/programs/program_models.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  // Tables name them, as those of the papers name Octave's.
  macrobench::add_programs(macrobench::usual_program_folders());
  return 0;
}
