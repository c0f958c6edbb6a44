// macrobench claims: what the papers say in words, judged by a machine's records.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/claims/claims_render.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> papers;
  std::string definitions = default_definitions();
  std::string results;
  OutputOptions output;
  bool write = false;
};

ExitCode claims(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions);
  const std::vector<PaperClaims> papers = read_claims(flags.definitions, flags.papers, definitions);
  const ClaimReport report{
      .machine = machine.name,
      .machine_text = describe(machine.machine),
      .papers = judge_claims(papers, definitions, lookup_in(machine.results), machine.machine)};
  if (flags.write) {
    write_whole(machine.folder / "claims.json", to_text(to_json(report)));
    write_whole(machine.folder / "claims.md", to_markdown(document_of(report)));
    fmt::print("claims.json and claims.md written to {}\n", machine.folder.string());
  } else {
    flags.output.print({.document = [&] { return document_of(report); },
                        .json = [&] { return to_json(report); },
                        .csv = [&] { return to_csv(report); }});
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "claims",
     .summary = "Judge what the papers say in words by a machine's records",
     .example = "  macrobench claims --results results/nvidia_h100\n"
                "  macrobench claims --paper aldrich_2010 --format md",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       app.add_option("--paper", flags->papers, "Only this paper's (aldrich_2010); may be repeated",
                      {.type_name = "PAPER"});
       app.add_option(
           "--results", flags->results,
           "A machine's folder of results (part of its name is enough; default: this machine's)");
       flags->output.add_to(app, {"text", "md", "html", "csv", "json"});
       app.add_flag("--write", flags->write,
                    "Write claims.json and claims.md into the folder of results instead",
                    {.excludes = {"--format", "--json", "--paper"}});
       app.add_option("--definitions", flags->definitions,
                      "Folder of the tables' definitions and the claims",
                      {.envname = "MACROBENCH_DEFINITIONS"});
       return [flags] { return claims(*flags); };
     },
     .rank = 21}};

}  // namespace

}  // namespace macrobench
