// The reader of a paper's claims, and every format of their verdicts when nothing was measured.

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  static Definitions definitions(source_folder() + "/paper_tables/papers");
  write_input(folder.path() / "paper/claims.json", data, size);
  read_or_refuse("claims.json", [] {
    const std::vector<PaperClaims> papers = read_claims(folder.path(), {}, definitions);
    const Results nothing;
    const ClaimReport report{.machine = "folder",
                             .machine_text = "a machine",
                             .papers = judge_claims(papers, definitions, lookup_in(nothing), {})};
    for (const Sheet& sheet : sheets_of(report)) {
      require(!to_csv(sheet).empty(), "claims say something");
    }
    require(!to_markdown(document_of(report)).empty(), "claims say something");
    require(!to_text(document_of(report), 80).empty(), "claims say something");
  });
  return 0;
}
