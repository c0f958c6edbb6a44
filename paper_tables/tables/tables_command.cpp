// macrobench tables: makes the tables again from records, on any machine.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/command.hpp"
#include "paper_tables/definitions/lookup.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

struct Flags {
  TableOptions tables;
  std::string results;
  std::string format;
};

ExitCode tables(const Flags& flags) {
  const MachineResults machine = read_machine_results(flags.results);
  Definitions definitions(flags.tables.definitions);
  const std::vector<const Definition*> wanted = definitions.get_all(flags.tables.tables);

  const Lookup lookup = lookup_in(machine.results);
  std::vector<Table> made;
  for (const Definition* definition : wanted) {
    made.push_back(make_table(*definition, definitions, lookup, machine.name, machine.machine));
  }
  if (flags.format == "json" && made.size() > 1) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Table& table : made) all.push_back(to_json(table));
    fmt::print("{}\n", all.dump(1));
  } else if (!flags.format.empty()) {
    for (const Table& table : made) {
      fmt::print("{}{}", &table == &made.front() ? "" : "\n", render(table, flags.format));
    }
  } else {
    for (const Table& table : made) write_table(table, tables_folder(machine.folder));
    fmt::print("{} tables written to {}\n", made.size(), tables_folder(machine.folder).string());
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "tables",
     .summary = "Make the tables again from a machine's records, without running anything",
     .example = "  macrobench tables --results results/nvidia_h100\n"
                "  macrobench tables aldrich_2010/table_3 --format md",
     .define = [](Options& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       flags->tables.add_to(app);
       app.add_option(
           "--results", flags->results,
           "A machine's folder of results (a part of its name will do; default: this machine's)");
       app.add_option("--format", flags->format,
                      "Print them as md, csv, tex or json instead of writing them")
           ->one_of(table_formats());
       return [flags] { return tables(*flags); };
     },
     .rank = 20}};

}  // namespace

}  // namespace macrobench
