// macrobench roofline: what a machine can do at its best, and how close each case comes to it.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/commands/command.hpp"
#include "harness/commands/output_options.hpp"
#include "harness/system/whole_file.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/roofline/roofline_render.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string results;
  OutputOptions output;
  bool cases = false;
  bool write = false;
};

ExitCode roofline(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const Roofline its = roofline_of(machine.results);
  if (flags.write) {
    write_whole(machine.folder / "roofline.json", to_text(to_json(its)));
    write_whole(machine.folder / "roofline.md",
                to_markdown(document_of(its, describe(machine.machine), true)));
    fmt::print("roofline.json and roofline.md written to {}\n", machine.folder.string());
    return ExitCode::ok;
  }
  // A page has room for the cases.
  const bool cases = flags.cases || flags.output.format() != "text";
  flags.output.print(
      {.document = [&] { return document_of(its, describe(machine.machine), cases); },
       .json = [&] { return to_json(its); },
       .csv = [&] { return to_csv(its); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "roofline",
     .summary = "What a machine can do at its best, and each case's share of its floor",
     .example = "  macrobench roofline --results results/nvidia_h100\n"
                "  macrobench sweep roofline --ceiling copy,multiply_add --real double,single "
                "--threads 1,all\n"
                "  macrobench roofline --cases",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       app.add_option(
           "--results", flags->results,
           "A machine's folder of results (part of its name is enough; default: this machine's)");
       app.add_flag("--cases", flags->cases, "Show every case, not only implementations");
       flags->output.add_to(app, {"text", "md", "html", "csv", "json"});
       app.add_flag("--write", flags->write,
                    "Write roofline.json and roofline.md into the folder of results instead",
                    {.excludes = {"--format", "--json"}});
       return [flags] { return roofline(*flags); };
     },
     .rank = 31}};

}  // namespace

}  // namespace macrobench
