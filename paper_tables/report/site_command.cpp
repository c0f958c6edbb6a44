// macrobench site: all machines of a folder of results as pages that a server of files can publish.

#include <filesystem>

#include "harness/command_line/command.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/report/site.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string definitions;
  std::string results = usual_results;
  std::string folder;
  std::string picture;
};

std::vector<MachineResults> read_machines(const fs::path& folder) {
  std::vector<fs::path> folders = machine_folders_in(folder);
  if (has_records(folder)) folders = {folder};
  if (folders.empty()) {
    throw UsageError(
        "{}: there is no machine's folder in it; give the folder that has them with "
        "--results",
        folder.string());
  }
  return each(folders, [](const fs::path& one) { return read_machine_results(one.string()); });
}

void write_picture(const Flags& flags, const std::vector<MachineResults>& machines,
                   Definitions& definitions) {
  const auto stories = each(machines, [&](const MachineResults& machine) {
    const std::vector<Plot> plots =
        paper_plots(definitions, lookup_in(machine.results), machine.machine, Curving::no);
    return MachineStories{called(machine.machine), stories_of(plots)};
  });
  const std::string picture = picture_of(stories, true);
  if (picture.empty()) {
    throw UsageError(
        "{}: no machine has a published case and the best program for it; run "
        "macrobench replicate",
        flags.results);
  }
  write_whole(flags.picture, picture);
  print_line(stdout, "{}: {} machines", flags.picture, machines.size());
}

ExitCode site(const Flags& flags) {
  if (flags.folder.empty() && flags.picture.empty()) {
    throw UsageError("give the folder to write the site to, as in: macrobench site --folder site");
  }
  const std::vector<MachineResults> machines = read_machines(flags.results);
  Definitions definitions(flags.definitions);
  if (!flags.picture.empty()) write_picture(flags, machines, definitions);
  if (flags.folder.empty()) return ExitCode::ok;
  const std::vector<PaperClaims> claims = read_claims(flags.definitions, {}, definitions);
  const auto shown = each(machines, [&](const MachineResults& machine) {
    return SiteMachine{.report = make_report(machine, definitions, claims),
                       .called = called(machine.machine),
                       .histories = histories_of(machine.results)};
  });
  const OutputFolder top(flags.folder);
  const std::map<std::string, std::string> pages = site_pages(shown);
  for (const auto& [path, html] : pages) {
    const OutputFolder* at = &top;
    std::vector<OutputFolder> folders;
    folders.reserve(8);
    const fs::path place = path;
    for (const fs::path& name : place.parent_path()) {
      folders.push_back(at->folder(name.string()));
      at = &folders.back();
    }
    at->write(place.filename().string(), html);
  }
  print_line(stdout, "{}: {} pages of {} machines", (top.path() / "index.html").string(),
             pages.size(), machines.size());
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "site",
     .summary = "All machines' results as a static site: machines, tables, claims, history",
     .example = "  macrobench site --folder site\n"
                "  macrobench site --picture docs/picture.svg\n"
                "Its pages need no server and no network, and their addresses last: "
                "machines/MACHINE/,\ntables/PAPER/TABLE.html, claims/PAPER/CLAIM.html, "
                "history/MACHINE/.",
     .rank = 23},
    [](Flags& flags, Options& app) {
      app.add_option("--folder", flags.folder, "Folder to write the site to");
      app.add_option("--picture", flags.picture,
                     "Write a file of SVG: from published to frontier on each machine");
      app.add_option("--results", flags.results, "Folder that has the machines' folders");
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    site};

}  // namespace

}  // namespace macrobench
