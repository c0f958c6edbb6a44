// The readers of the other files beside the definitions, with the same bytes in each: the
// processors and the figures.

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  static Definitions definitions(source_folder() + "/paper_tables/papers");
  for (const char* name : {"hardware.json", "aldrich_2014/figures.json"}) {
    write_input(folder.path() / name, data, size);
  }
  read_or_refuse("hardware.json",
                 [] { static_cast<void>(prices_of(folder.path(), "published", "c2075")); });
  read_or_refuse("figures.json",
                 [] { check_figures(folder.path() / "aldrich_2014/figures.json", definitions); });
  return 0;
}
