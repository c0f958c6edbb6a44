// macrobench times: what who waits for a case waits for, and from where a GPU is faster.

#include <nlohmann/json.hpp>
#include <string>

#include "harness/commands/command.hpp"
#include "paper_tables/tables/table_options.hpp"
#include "paper_tables/times/times.hpp"

namespace macrobench {

namespace {

ExitCode show(const RecordsView& view) {
  view.show(times_of, [](const Times& its, const std::string& machine, bool has_cases) {
    return document_of(its, machine, has_cases);
  });
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "times",
     .summary = "Cold, warm and fresh-process times, where a GPU overtakes a CPU, and how single "
                "precision ends",
     .example = "  macrobench times --results results/nvidia_h200\n"
                "  macrobench times --cases",
     .rank = 32},
    [](RecordsView& view, Options& app) {
      view.add_to(app, "times", "Show every case's times too");
    },
    show};

}  // namespace

}  // namespace macrobench
