// macrobench claims: what the papers say in words, judged by a machine's records.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
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
  std::vector<std::string> results;
  ViewOptions view;
};

/// One by one, those of a folder that holds several too; this machine's if none is named.
std::vector<std::string> folders_of(const std::vector<std::string>& named) {
  std::vector<std::string> folders;
  for (const std::string& name : named) {
    const std::vector<std::filesystem::path> several = machine_folders_in(name);
    for (const std::filesystem::path& folder : several) folders.push_back(folder.string());
    if (several.empty()) folders.push_back(name);
  }
  if (folders.empty()) folders.emplace_back();
  return folders;
}

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
  const std::vector<MachineResults> machines =
      each(folders_of(flags.results), read_machine_results);
  if (machines.size() > 1 && flags.view.is_written()) {
    throw UsageError(
        "--write goes with the results of one machine: name its folder with --results");
  }
  std::set<std::string> names;
  for (const MachineResults& its : machines) {
    if (!names.insert(its.name).second) {
      throw UsageError(fmt::format("two of the folders are named {}", its.name));
    }
  }
  Definitions definitions(flags.definitions);
  const std::vector<PaperClaims> papers = read_claims(flags.definitions, flags.papers, definitions);
  const ClaimReport report = over_machines(each(machines, [&](const MachineResults& its) {
    return ClaimReport{
        .machine = its.name,
        .machine_text = describe(its.machine),
        .papers = judge_claims(papers, definitions, lookup_in(its.results), its.machine)};
  }));
  flags.view.show(output_of_sheets(
                      "claims",
                      [&] {
                        return flags.view.is_page() ? document_of(report)
                                                    : on_screen(report, !flags.papers.empty());
                      },
                      [&] { return sheets_of(report); }),
                  machines.front().folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "claims",
     .summary = "Judge what the papers say in words by a machine's records",
     .example = "  macrobench claims\n"
                "  macrobench claims aldrich_2010 --results results/nvidia_h200\n"
                "  macrobench claims --results results        by all machines there together\n"
                "  macrobench claims aldrich_2010 --format md",
     .rank = 22},
    [](Flags& flags, Options& app) {
      app.add_option("paper,--paper", flags.papers,
                     "Only these papers' (aldrich_2010), and on a terminal each of their claims",
                     {.type_name = "PAPER"});
      app.add_option(
          "--results", flags.results,
          "A machine's folder of results (part of its name is enough; default: this "
          "machine's), or one that holds several; may be repeated: then the verdicts are "
          "over all of them, in whatever order",
          {.type_name = "FOLDER"});
      flags.view.add_to(app, "claims", {"--paper"});
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    claims};

}  // namespace

}  // namespace macrobench
