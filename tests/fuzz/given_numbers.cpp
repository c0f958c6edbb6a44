// The reader of a user's numbers.

#include "harness/model/given_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "harness/files/temporary_folder.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "grid.txt";
  write_input(path, data, size);
  const GivenNumbers given("capital", InputFile{path.string(), ""});
  read_or_refuse("grid.txt", [&] {
    require(given.values().size() <= size, "a number takes a byte at least");
    require(std::ranges::all_of(given.values(), [](double value) { return std::isfinite(value); }),
            "all are numbers");
  });
  return 0;
}
