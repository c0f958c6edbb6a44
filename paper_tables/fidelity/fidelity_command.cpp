// macrobench fidelity: how near published implementations are to the authors' own programs.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/machine/machine.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/campaign_run.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/each.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/fidelity/fidelity.hpp"
#include "paper_tables/fidelity/measure.hpp"
#include "paper_tables/fidelity/originals.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> originals;
  bool measure = false;
  FidelityOptions sitting;
  std::string definitions;
  std::string machine;
  std::string results;
  ViewOptions view;
};

/// Leaves only the originals that are named: all of a paper, or one by PAPER/NAME.
void choose(std::vector<PaperOriginals>& papers, const std::vector<std::string>& named) {
  if (named.empty()) return;
  std::vector<std::string> known;
  for (const PaperOriginals& paper : papers) {
    known.push_back(paper.paper);
    for (const Original& its : paper.originals) known.push_back(paper.paper + "/" + its.name);
  }
  for (const std::string& name : named) {
    if (std::ranges::find(known, name) == known.end()) {
      throw UsageError(unknown_name("original", name, known));
    }
  }
  const auto is_named = [&](const std::string& name) {
    return std::ranges::find(named, name) != named.end();
  };
  for (PaperOriginals& paper : papers) {
    std::erase_if(paper.originals, [&](const Original& its) {
      return !is_named(paper.paper) && !is_named(paper.paper + "/" + its.name);
    });
  }
}

/// Measures the originals that have a public source; their records are kept case by case.
std::vector<Measurement> measure(const Flags& flags, const std::vector<PaperOriginals>& papers,
                                 const Machine& machine, ExitCode& code) {
  std::vector<Original> planned;
  for (const PaperOriginals& paper : papers) {
    std::ranges::copy_if(paper.originals, std::back_inserter(planned), &Original::is_public);
  }
  const std::string results = flags.results.empty() ? usual_results : flags.results;
  RecordStore store(own_folder(results, machine));
  CampaignRun campaign(store, machine, asked());
  FidelityOptions options = flags.sitting;
  options.run.campaign = campaign.id();
  const Progress progress = terminal_progress();
  FidelityRun run(store, machine, options, progress, planned);
  std::vector<Measurement> made;
  for (const PaperOriginals& paper : papers) {
    for (const Original& original : paper.originals) {
      if (!original.is_public()) continue;
      const Measurement& its = made.emplace_back(run.measure(paper.paper, original));
      if (!its.why.empty()) print_line(stderr, "macrobench: {}: {}", its.original, its.why);
    }
  }
  campaign.finish();
  code = run.code();
  return made;
}

/// "aldrich_2014", also of "aldrich_2014/vfi_cpp".
std::vector<std::string> papers_of(const std::vector<std::string>& originals) {
  return each(originals, [](const std::string& one) { return one.substr(0, one.find('/')); });
}

std::vector<PaperOriginals> read(const Flags& flags) {
  return read_originals(flags.definitions, leave_out_except(papers_of(flags.originals)));
}

/// The view of some originals, and of all published implementations where none is named.
void show(const Flags& flags, std::vector<PaperOriginals> papers,
          const std::vector<Measurement>& measured, const Machine* here,
          const std::filesystem::path& folder) {
  Fidelity fidelity;
  Definitions definitions(flags.definitions, leave_out_except(papers_of(flags.originals)));
  add_largest_in_print(papers, definitions);
  if (flags.originals.empty()) fidelity.unnamed = published_without_original(papers);
  choose(papers, flags.originals);
  fidelity.machines =
      (here == nullptr ? judge_fidelity(papers, measured, flags.machine)
                       : fidelity_on(papers, measured, here->slug(), describe(*here)))
          .machines;
  flags.view.show(output_of(flags.view.name(), fidelity), folder);
}

ExitCode fidelity(const Flags& flags) {
  std::vector<PaperOriginals> papers = read(flags);
  if (flags.measure) {
    const Machine machine = this_machine();
    choose(papers, flags.originals);
    ExitCode code = ExitCode::ok;
    const std::vector<Measurement> measured = measure(flags, papers, machine, code);
    show(flags, read(flags), measured, &machine, {});
    return code;
  }
  if (flags.results.empty() && !flags.view.is_written()) {
    const std::vector<Measurement> measured = measured_originals(papers, nullptr);
    show(flags, std::move(papers), measured, nullptr, {});
  } else {
    const MachineResults here = read_machine_results(flags.results);
    const std::vector<Measurement> measured = measured_originals(papers, &here.results);
    show(flags, std::move(papers), measured, &here.machine, here.folder);
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "fidelity",
     .summary = "How near published implementations are to the authors' own programs",
     .example =
         "  macrobench fidelity\n"
         "  macrobench fidelity aldrich_2014 --machine h100 --format md\n"
         "  macrobench fidelity --measure aldrich_2014/vfi_cpp --rounds 11\n"
         "--measure runs each original, its counterpart and what shows the known differences in "
         "turn,\nand keeps their records in the machine's folder of --results. The originals are "
         "programs in\nthe folders of --programs, which goes with every command.",
     .rank = 28},
    [](Flags& flags, Options& app) {
      app.add_option("original", flags.originals,
                     "Originals (aldrich_2014/vfi_cpp) or papers; all if none",
                     {.type_name = "ORIGINAL"});
      app.add_flag("--measure", flags.measure, "Measure them, on this machine");
      app.add_option("--rounds", flags.sitting.rounds,
                     "With --measure: the number of processes of each program and case",
                     {.range = {{1, 10'000}}});
      app.add_duration("--deadline", flags.sitting.run.deadline, "10m",
                       "With --measure: kill a process after this long (90s, 10m, none)");
      app.add_option("--machine", flags.machine,
                     "Only what was measured on this machine (part of its name is enough)");
      app.add_option("--results", flags.results,
                     "Only on the machine of this folder of results, with its own records",
                     {.excludes = {"--machine"}});
      flags.view.add_to(app, "fidelity", {"--machine"});
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and of what is known of originals");
    },
    fidelity};

}  // namespace

}  // namespace macrobench
