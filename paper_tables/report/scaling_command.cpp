// macrobench scaling: one solution by several GPUs, ranks or processes.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/command_line/command.hpp"
#include "harness/files/output_folder.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/figures/scaling_figure.hpp"
#include "paper_tables/plots/plot.hpp"
#include "paper_tables/scaling/scaling_render.hpp"

namespace macrobench {

namespace {

ExitCode show(const RecordsView& view) {
  const auto [folder, scaling] =
      view.show([](const MachineResults& machine) { return scaling_of(machine.results); });
  if (!view.is_written()) return ExitCode::ok;
  const std::string svg = to_svg_file(scaling_plot(scaling));
  if (svg.empty()) return ExitCode::ok;
  OutputFolder(folder).write("scaling.svg", svg);
  print_line(stdout, "and its figure, scaling.svg");
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "scaling",
     .summary =
         "Strong and weak scaling of one solution by several GPUs, ranks or processes, and a "
         "model of it",
     .example = "  macrobench sweep beliefs --implementations mpi --T 20..23:1 --ranks 1..8\n"
                "  macrobench scaling",
     .rank = 33},
    [](RecordsView& view, Options& app) { view.add_to(app, "scaling"); },
    show};

}  // namespace

}  // namespace macrobench
