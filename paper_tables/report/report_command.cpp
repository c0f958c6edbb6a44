// macrobench report: one page of HTML from a machine's records, and its figures as files.

#include <filesystem>

#include "harness/command_line/command.hpp"
#include "harness/files/show_file.hpp"
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
  bool open = false;
};

ExitCode report(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions, leave_out_except({}));
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
                "It is written to report.html beside the records, and the figures to figures/ as "
                "SVG, CSV and JSON.",
     .rank = 23},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      app.add_option("--out", flags.out, "Folder to write to (default: the folder of results)");
      app.add_flag("--open", flags.open, "Show the page in the browser");
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    report};

}  // namespace

}  // namespace macrobench
