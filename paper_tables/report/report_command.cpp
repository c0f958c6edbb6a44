// macrobench report: one page of HTML from a machine's records, and its figures as files.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/commands/command.hpp"
#include "harness/system/output_folder.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/report/report.hpp"
#include "paper_tables/report/report_figures.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string definitions;
  std::string results;
  std::string out;
};

/// The folder's times against those of every published machine with a cell in common.
std::vector<Comparison> compare_with_print(const fs::path& folder, Definitions& definitions) {
  std::vector<Comparison> all;
  const ComparedSide here = side_of(folder.string(), definitions);
  for (const std::string& id : published_machines(definitions)) {
    Comparison comparison =
        compare({side_of("published/" + id, definitions), here}, definitions.get_all({}), Terms{});
    if (!comparison.tables.empty()) all.push_back(std::move(comparison));
  }
  return all;
}

ExitCode report(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const OutputFolder out(flags.out.empty() ? machine.folder : fs::path(flags.out));
  Definitions definitions(flags.definitions);
  const Lookup lookup = lookup_in(machine.results);
  const std::vector<PaperClaims> claims = read_claims(flags.definitions, {}, definitions);
  Report made{.machine = machine.name,
              .machine_text = describe(machine.machine),
              .block = machine.machine.block,
              .records = machine.results.records.size(),
              .tables = {},
              .comparisons = compare_with_print(machine.folder, definitions),
              .roofline = roofline_of(machine.results),
              .claims = {.machine = machine.name,
                         .machine_text = describe(machine.machine),
                         .papers = judge_claims(claims, definitions, lookup, machine.machine)},
              .errata = find_errata(flags.definitions, {}),
              .figures = {}};
  for (const Definition* definition : definitions.get_all({})) {
    const Table table = make_table(*definition, definitions, lookup, machine.name, machine.machine);
    made.tables.push_back({definition->id(), document_of(table)});
  }

  std::vector<Plot> plots = paper_plots(definitions, lookup, machine.machine);
  plots.insert(plots.begin(), speed_up_plot(made.comparisons));
  const OutputFolder figures = out.folder("figures");
  for (Plot& plot : plots) made.figures.push_back(drawn(std::move(plot), figures));
  out.write("report.html", render_html(made));

  const auto without = std::ranges::find_if(
      made.figures, [](const DrawnPlot& figure) { return figure.svg.empty(); });
  if (without != made.figures.end()) {
    warn({fmt::format("{}: {}", without->plot.name, without->why_not)});
  }
  const auto drawn_ones =
      std::ranges::count_if(made.figures, [](const DrawnPlot& f) { return !f.svg.empty(); });
  print_line(stdout, "{}: {} tables, {} figures", (out.path() / "report.html").string(),
             made.tables.size(), drawn_ones);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "report",
     .summary = "One page of HTML from a machine's records: tables, figures, claims, errata",
     .example = "  macrobench report --results results/nvidia_h100\n"
                "It is written to report.html beside the records, and the figures to figures/ as "
                "SVG, CSV\nand gnuplot scripts. Without gnuplot the page has their data.",
     .rank = 22},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      app.add_option("--out", flags.out, "Folder to write to (default: the folder of results)");
      add_definitions_option(app, flags.definitions,
                             "Folder of the tables' definitions and the claims");
    },
    report};

}  // namespace

}  // namespace macrobench
