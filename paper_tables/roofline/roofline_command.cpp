// macrobench roofline: what a machine can do at its best, and how near to it each case comes.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "harness/commands/command.hpp"
#include "harness/system/whole_file.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/roofline/roofline.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::string results;
  std::string format = "text";
  bool cases = false;
  bool write = false;
};

ExitCode roofline(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  const Roofline its = roofline_of(machine.results);
  if (flags.write) {
    write_whole(machine.folder / "roofline.json", render_json(its));
    write_whole(machine.folder / "roofline.md", render_markdown(its, describe(machine.machine)));
    fmt::print("roofline.json and roofline.md written to {}\n", machine.folder.string());
  } else if (flags.format == "json") {
    fmt::print("{}", render_json(its));
  } else if (flags.format == "csv") {
    fmt::print("{}", render_csv(its));
  } else if (flags.format == "md") {
    fmt::print("{}", render_markdown(its, describe(machine.machine)));
  } else {
    fmt::print("{}", render_text(its, flags.cases));
  }
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
           "A machine's folder of results (a part of its name will do; default: this machine's)");
       app.add_flag("--cases", flags->cases, "Show every case, and not implementations alone");
       auto* const format =
           app.add_option("--format", flags->format, "Print it as text, md, csv or json")
               ->capture_default_str()
               ->one_of({"text", "md", "csv", "json"});
       app.add_flag("--write", flags->write,
                    "Write roofline.json and roofline.md into the folder of results instead")
           ->excludes(format);
       return [flags] { return roofline(*flags); };
     },
     .rank = 31}};

}  // namespace

}  // namespace macrobench
