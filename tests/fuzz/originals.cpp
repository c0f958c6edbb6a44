// The reader of what is known of originals, and every format of their fidelity.

#include <nlohmann/json.hpp>

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/fidelity/fidelity.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  write_input(folder.path() / "paper/originals.json", data, size);
  read_or_refuse("originals.json", [] {
    const Fidelity fidelity = judge_fidelity(read_originals(folder.path()), {});
    for (const Sheet& sheet : sheets_of(fidelity)) {
      require(!to_csv(sheet).empty(), "fidelity says something");
    }
    require(!to_markdown(document_of(fidelity)).empty(), "fidelity says something");
    require(!to_text(document_of(fidelity), 80).empty(), "fidelity says something");
  });
  return 0;
}
