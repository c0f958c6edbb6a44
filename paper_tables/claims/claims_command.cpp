// macrobench claims: what the papers say in words, judged by a machine's records.

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/claims/claims_verdict.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> papers;
  std::string definitions;
  std::string results;
  ViewOptions view;
};

/// For a terminal: the totals, then the claims, if those of a paper are asked for.
Document on_screen(const ClaimReport& report, bool has_claims) {
  Document whole = document_of(report);
  Document screen{.title = std::move(whole.title), .body = std::move(whole.summary)};
  if (has_claims) {
    std::ranges::move(whole.body, std::back_inserter(screen.body));
  } else {
    screen.body.emplace_back(
        Paragraph{"macrobench claims PAPER shows each claim of a paper, and what it rests on."});
  }
  return screen;
}

ExitCode claims(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions, leave_out_except(flags.papers));
  const std::vector<PaperClaims> papers = read_claims(flags.definitions, flags.papers, definitions);
  const ClaimReport report{
      .machine = machine.name,
      .machine_text = describe(machine.machine),
      .papers = judge_claims(papers, definitions, lookup_in(machine.results), machine.machine)};
  flags.view.show(output_of_sheets(
                      "claims",
                      [&] {
                        return flags.view.is_page() ? document_of(report)
                                                    : on_screen(report, !flags.papers.empty());
                      },
                      [&] { return sheets_of(report); }),
                  machine.folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "claims",
     .summary = "Judge what the papers say in words by a machine's records",
     .example = "  macrobench claims\n"
                "  macrobench claims aldrich_2010 --results results/nvidia_h200\n"
                "  macrobench claims aldrich_2010 --format md",
     .rank = 22},
    [](Flags& flags, Options& app) {
      app.add_option("paper,--paper", flags.papers,
                     "Only these papers' (aldrich_2010), and on a terminal each of their claims",
                     {.type_name = "PAPER"});
      add_results_option(app, flags.results);
      flags.view.add_to(app, "claims", {"--paper"});
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    claims};

}  // namespace

}  // namespace macrobench
