// macrobench report: one page of HTML from a machine's records, and its figures as files; or the
// picture that sums up several machines.

#include <filesystem>

#include "harness/command_line/command.hpp"
#include "harness/files/show_file.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/report/report.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string definitions;
  std::string results;
  std::string out;
  std::string picture;
  bool open = false;
};

/// "NVIDIA H100 80GB HBM3", or without a GPU "AMD EPYC 7B13, 2 cores".
std::string called(const Machine& machine) {
  const std::string gpu = gpu_name(machine);
  return gpu.empty() ? describe_processor(machine) : gpu;
}

/// The machines whose folders are in the folder of results, or the one that it is itself.
std::vector<MachineResults> read_machines(const std::string& results) {
  const fs::path folder = results.empty() ? usual_results : results;
  std::vector<fs::path> folders = machine_folders_in(folder);
  if (has_records(folder)) folders = {folder};
  if (folders.empty()) {
    throw UsageError("{}: there is no machine's folder in it", folder.string());
  }
  return each(folders, [](const fs::path& one) { return read_machine_results(one.string()); });
}

ExitCode picture(const Flags& flags) {
  Definitions definitions(flags.definitions);
  const auto stories =
      each(read_machines(flags.results), [&](const MachineResults& machine) -> MachineStories {
        return {called(machine.machine),
                stories_of(paper_plots(definitions, lookup_in(machine.results), machine.machine,
                                       Curving::no))};
      });
  const std::string svg = picture_of(stories, true);
  if (svg.empty()) {
    throw UsageError(
        "no machine has a published case and the best program for it; run macrobench replicate");
  }
  write_whole(flags.picture, svg);
  print_line(stdout, "{}: {} machines", flags.picture, stories.size());
  return ExitCode::ok;
}

ExitCode report(const Flags& flags) {
  if (!flags.picture.empty()) return picture(flags);
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions);
  const WrittenReport made =
      write_report(machine, definitions, flags.out.empty() ? machine.folder : fs::path(flags.out));
  print_line(stdout, "{}: {} tables, {} figures", made.page.string(), made.tables, made.figures);
  if (flags.open && !show_file(made.page)) {
    warn({"no desktop with xdg-open was found: open " + made.page.string() + " in a browser"});
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "report",
     .summary = "One page of HTML from a machine's records: what it comes to, tables, claims",
     .example = "  macrobench report --open\n"
                "  macrobench report --results results/nvidia_h200\n"
                "  macrobench report --results results/reference --picture picture.svg\n"
                "It is written to report.html beside the records, and the figures to figures/ as "
                "SVG and CSV.",
     .rank = 22},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      app.add_option("--out", flags.out, "Folder to write to (default: the folder of results)");
      app.add_flag("--open", flags.open, "Show the page in the browser");
      app.add_option("--picture", flags.picture,
                     "Write instead a file of SVG: from published to frontier on each of the "
                     "machines in the folder of --results");
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    report};

}  // namespace

}  // namespace macrobench
