// macrobench roofline: what a machine can do at its best, and how close each case comes to it.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/command_line/command.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

namespace {

ExitCode show(const RecordsView& view) {
  view.show([](const MachineResults& machine) { return roofline_of(machine.results); });
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "roofline",
     .summary = "A machine's best rates, and each case's share of its floor",
     .example = "  macrobench roofline --results results/nvidia_h200\n"
                "  macrobench sweep roofline --ceiling copy,multiply_add --real double,single "
                "--threads 1,all\n"
                "  macrobench roofline --cases",
     .rank = 26},
    [](RecordsView& view, Options& app) {
      view.add_to(app, "roofline", "Show every case, not only implementations");
    },
    show};

}  // namespace

}  // namespace macrobench
