// Gives a fuzz target every file of a folder, without libFuzzer: what it once found stays found.
//
//   fuzz_NAME FOLDER

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/whole_file.hpp"
#include "tests/fuzz/target.hpp"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER\n", argv[0]);
    return 2;
  }
  LLVMFuzzerInitialize(&argc, &argv);
  std::vector<fs::path> inputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(argv[1])) {
    inputs.push_back(entry.path());
  }
  std::ranges::sort(inputs);
  for (const fs::path& input : inputs) {
    fmt::print(stderr, "{}\n", input.string());  // the last one is the one that ends the process
    const std::string bytes = macrobench::read_whole(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  fmt::print("{} inputs\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
