// macrobench roofline: what a machine can do at its best, and how close each case comes to it.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/commands/command.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/roofline/roofline.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string results;
  ViewOptions view;
  bool cases = false;
};

ExitCode roofline(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const Roofline its = roofline_of(machine.results);
  const bool cases = flags.cases || flags.view.is_page();
  flags.view.show({.document = [&] { return document_of(its, describe(machine.machine), cases); },
                   .json = [&] { return to_json(its); },
                   .csv = [&] { return to_csv(its); }},
                  machine.folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "roofline",
     .summary = "What a machine can do at its best, and each case's share of its floor",
     .example = "  macrobench roofline --results results/nvidia_h200\n"
                "  macrobench sweep roofline --ceiling copy,multiply_add --real double,single "
                "--threads 1,all\n"
                "  macrobench roofline --cases",
     .rank = 31},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      app.add_flag("--cases", flags.cases, "Show every case, not only implementations");
      flags.view.add_to(app, "roofline");
    },
    roofline};

}  // namespace

}  // namespace macrobench
