// The reader of a user's calibrations.

#include "harness/model/calibrations.hpp"

#include <cmath>
#include <filesystem>

#include "harness/files/temporary_folder.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "estimates.csv";
  write_input(path, data, size);
  const Calibrations given(InputFile{path.string(), ""});
  read_or_refuse("estimates.csv", [&] {
    require(given.economies() > 0 && !given.names().empty(), "there is a row and a name");
    for (std::size_t economy = 0; economy < given.economies(); ++economy) {
      for (std::size_t column = 0; column < given.names().size(); ++column) {
        require(std::isfinite(given.value(economy, column)), "all values are numbers");
      }
    }
    given.check(2, {"beta", "gamma"});
  });
  return 0;
}
