// macrobench summary: a row a model from a machine's records: published, our version of the program
// there, and the best one.

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/files/whole_file.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/front/front.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string definitions, results, picture;
  OutputOptions output;
};

ExitCode summary(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.definitions, leave_out_except({}));
  const Front front = make_front(read_front(definitions, definitions.get_all({})), definitions,
                                 lookup_in(machine.results), machine.results, machine.machine);
  if (flags.picture.empty()) {
    flags.output.print(output_of("summary", front));
    return ExitCode::ok;
  }
  const std::string svg = picture_of(front);
  if (svg.empty()) {
    throw UsageError(
        "this machine has no time of a model's best program; run macrobench replicate");
  }
  write_whole(flags.picture, svg);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "summary",
     .summary = "A row a model: the published time, our version's here, and the best one's",
     .example = "  macrobench summary\n"
                "  macrobench summary --results results/reference/amd_epyc_2_cores --format md\n"
                "  macrobench summary --picture picture.svg\n"
                "macrobench replicate ends with these rows.",
     .rank = 20},
    [](Flags& flags, Options& app) {
      add_results_option(app, flags.results);
      flags.output.add_to(app, {"text", "md", "html", "json", "csv"});
      app.add_option("--picture", flags.picture, "Write them as a file of SVG instead");
      add_definitions_option(app, flags.definitions);
    },
    summary};

}  // namespace

}  // namespace macrobench
