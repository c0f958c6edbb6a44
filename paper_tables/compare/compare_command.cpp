// macrobench compare: machines, commits and published tables against each other.

#include <fmt/format.h>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> sides;
  std::vector<std::string> tables;
  std::string definitions;
  OutputOptions output;
  bool cells = false;
};

ExitCode compare_sides(const Flags& flags) {
  Definitions definitions(flags.definitions, leave_out_except(flags.tables));
  std::vector<ComparedSide> sides;
  for (const std::string& name : flags.sides) {
    warn(sides.emplace_back(side_of(name, definitions)).results.warnings);
  }
  const Comparison comparison = compare(std::move(sides), definitions.get_all(flags.tables));
  if (comparison.tables.empty()) {
    throw UsageError(fmt::format(
        "{} and {} have no cell with a time in common: nothing can be compared; macrobench "
        "tables --results FOLDER shows what a machine has",
        comparison.sides[1].name, comparison.sides[0].name));
  }
  // A page has room for the cells.
  const bool cells = flags.cells || !flags.tables.empty() || flags.output.format() != "text";
  flags.output.print(output_of("compare", comparison, cells));
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "compare",
     .summary = "Compare machines, commits and published tables, cell by cell",
     .example = "  macrobench compare published/c2075 here\n"
                "  macrobench compare published/k40 results/amd_epyc results/nvidia_h200 --cells\n"
                "  macrobench compare published/c2075 results/nvidia_h200 --tables "
                "aldrich_2014/table_4",
     .rank = 27},
    [](Flags& flags, Options& app) {
      app.add_option("sides", flags.sides,
                     "The first against the others: published/MACHINE, here (this machine), or a "
                     "folder of results (part of its name is enough)",
                     {.type_name = "SIDE", .required = true, .values = {{2, 16}}});
      app.add_option("--tables", flags.tables,
                     "Tables (aldrich_2010/table_3) or papers, with all their cells; all if none",
                     {.type_name = "TABLE"});
      app.add_flag("--cells", flags.cells, "Show every cell, not only the means of tables");
      add_definitions_option(app, flags.definitions);
      flags.output.add_to(app, {"text", "md", "html", "csv", "json"});
    },
    compare_sides};

}  // namespace

}  // namespace macrobench
