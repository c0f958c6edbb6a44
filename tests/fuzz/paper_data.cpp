// The reader of the papers' figures.

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  static Definitions definitions(source_folder() + "/paper_tables/papers");
  write_input(folder.path() / "aldrich_2014/figures.json", data, size);
  read_or_refuse("figures.json",
                 [] { check_figures(folder.path() / "aldrich_2014/figures.json", definitions); });
  return 0;
}
