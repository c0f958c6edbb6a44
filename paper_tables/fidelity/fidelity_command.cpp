// macrobench fidelity: how near published implementations are to the authors' own programs.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/fidelity/fidelity.hpp"
#include "paper_tables/fidelity/originals.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string definitions;
  std::string machine;
  std::string results;
  ViewOptions view;
};

ExitCode show(const Flags& flags) {
  const std::vector<PaperOriginals> papers = read_originals(flags.definitions);
  Fidelity fidelity;
  std::filesystem::path folder;
  if (!flags.results.empty() || flags.view.is_written()) {
    const MachineResults here = read_machine_results(flags.results);
    folder = here.folder;
    fidelity = fidelity_on(papers, here.machine.slug(), describe(here.machine));
  } else {
    fidelity = judge_fidelity(papers, flags.machine);
  }
  fidelity.unnamed = published_without_original(papers);
  flags.view.show(output_of(fidelity), folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "fidelity",
     .summary = "How near published implementations are to the authors' own programs",
     .example = "  macrobench fidelity\n"
                "  macrobench fidelity --machine h100 --format md",
     .rank = 34},
    [](Flags& flags, Options& app) {
      app.add_option("--machine", flags.machine,
                     "Only what was measured on this machine (part of its name is enough)");
      app.add_option("--results", flags.results, "Only on the machine of this folder of results",
                     {.excludes = {"--machine"}});
      flags.view.add_to(app, "fidelity", {"--machine"});
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and of what is known of originals");
    },
    show};

}  // namespace

}  // namespace macrobench
