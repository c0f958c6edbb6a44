// macrobench claims: what the papers say in words, judged by a machine's records.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/commands/command.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> papers;
  std::string definitions;
  std::string results;
  ViewOptions view;
};

ExitCode claims(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions);
  const std::vector<PaperClaims> papers = read_claims(flags.definitions, flags.papers, definitions);
  const ClaimReport report{
      .machine = machine.name,
      .machine_text = describe(machine.machine),
      .papers = judge_claims(papers, definitions, lookup_in(machine.results), machine.machine)};
  flags.view.show({.document = [&] { return document_of(report); },
                   .json = [&] { return to_json(report); },
                   .csv = [&] { return to_csv(report); }},
                  machine.folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "claims",
     .summary = "Judge what the papers say in words by a machine's records",
     .example = "  macrobench claims --results results/nvidia_h100\n"
                "  macrobench claims --paper aldrich_2010 --format md",
     .rank = 21},
    [](Flags& flags, Options& app) {
      app.add_option("--paper", flags.papers, "Only this paper's (aldrich_2010); may be repeated",
                     {.type_name = "PAPER"});
      add_results_option(app, flags.results);
      flags.view.add_to(app, "claims", {"--paper"});
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    claims};

}  // namespace

}  // namespace macrobench
