// macrobench times: what who waits for a case waits for, and from where a GPU is faster.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/commands/command.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/tables/table_options.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string results;
  ViewOptions view;
  bool cases = false;
};

ExitCode show(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const Times times = times_of(machine.results);
  const bool cases = flags.cases || flags.view.is_page();
  flags.view.show({.document = [&] { return document_of(times, describe(machine.machine), cases); },
                   .json = [&] { return to_json(times); },
                   .csv = [&] { return to_csv(times); }},
                  machine.folder);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "times",
     .summary = "Cold, warm and fresh-process times, where a GPU overtakes a CPU, and how single "
                "precision ends",
     .example = "  macrobench times --results results/nvidia_h200\n"
                "  macrobench times --cases",
     .rank = 32},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      app.add_flag("--cases", flags.cases, "Show every case's times too");
      flags.view.add_to(app, "times");
    },
    show};

}  // namespace

}  // namespace macrobench
