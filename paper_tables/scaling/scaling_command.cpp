// macrobench scaling: one solution by several GPUs, ranks or processes.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/commands/command.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/scaling/scaling.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string results;
  ViewOptions view;
};

ExitCode show(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const Scaling scaling = scaling_of(machine.results);
  flags.view.show({.document = [&] { return document_of(scaling, describe(machine.machine)); },
                   .json = [&] { return to_json(scaling); },
                   .csv = [&] { return to_csv(scaling); }},
                  machine.folder);
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
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      flags.view.add_to(app, "scaling");
    },
    show};

}  // namespace

}  // namespace macrobench
