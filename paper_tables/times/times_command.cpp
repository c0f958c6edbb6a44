// macrobench times: what who waits for a case waits for, and from where a GPU is faster.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/command_line/command.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

/// The records, and the prices and batches in print that they are compared with.
struct Flags {
  RecordsView view;
  std::string definitions;
};

ExitCode show(const Flags& flags) {
  flags.view.show([&](const MachineResults& machine) {
    Definitions definitions(flags.definitions);
    return times_of(machine.results,
                    prices_of(flags.definitions, "name", gpu_name(machine.machine)),
                    published_batches(definitions));
  });
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "times",
     .summary = "Cold, warm and fresh-process times, the size at which a GPU overtakes a CPU, and "
                "results in single precision",
     .example = "  macrobench times --results results/nvidia_h200\n"
                "  macrobench times --cases",
     .rank = 25},
    [](Flags& flags, Options& app) {
      flags.view.add_to(app, "times", "Show every case's times too, and their shares of the floor");
      add_definitions_option(app, flags.definitions);
    },
    show};

}  // namespace

}  // namespace macrobench
