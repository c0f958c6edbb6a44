// macrobench times: the seconds that a user of a case waits.

#include "harness/command_line/command.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

ExitCode show(const RecordsView& view) {
  view.show([](const MachineResults& machine) { return times_of(machine.results); });
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "times",
     .summary = "Start-up, first, warm and fresh-process times of cases and of programs",
     .example = "  macrobench times --results results/nvidia_h200\n"
                "  macrobench times --cases",
     .rank = 25},
    [](RecordsView& view, Options& app) {
      view.add_to(app, "times", "Show every case's times too, and their shares of the floor");
    },
    show};

}  // namespace

}  // namespace macrobench
