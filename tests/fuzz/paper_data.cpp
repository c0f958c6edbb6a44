// The readers of the other files beside the definitions, with the same bytes in each: the rules of
// errata, the errata found by reading, the processors, the figures.

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/errata/errata.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  static Definitions definitions(source_folder() + "/paper_tables/papers");
  for (const char* name : {"errata_rules.json", "errata_by_reading.json", "hardware.json",
                           "aldrich_2014/figures.json"}) {
    write_input(folder.path() / name, data, size);
  }
  read_or_refuse("errata_rules.json",
                 [] { static_cast<void>(read_rules(folder.path(), definitions)); });
  read_or_refuse("errata_by_reading.json",
                 [] { static_cast<void>(read_readings(folder.path(), definitions)); });
  read_or_refuse("hardware.json",
                 [] { static_cast<void>(prices_of(folder.path(), "published", "c2075")); });
  read_or_refuse("figures.json",
                 [] { check_figures(folder.path() / "aldrich_2014/figures.json", definitions); });
  return 0;
}
