// macrobench tables: makes the tables again from records, on any machine. Those that are named are
// printed; all are written.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/text/each.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/tables/render.hpp"

namespace macrobench {

namespace {

struct Flags {
  TableOptions tables;
  std::string results;
  OutputOptions output;
};

/// All of them, one below the other.
Document page_of(const std::vector<Table>& tables) {
  Document page{.title = "Tables, published beside measured"};
  for (const Table& table : tables) {
    Document one = document_of(table);
    page.body.emplace_back(Heading{one.title});
    std::ranges::move(one.body, std::back_inserter(page.body));
  }
  return page;
}

ExitCode tables(const Flags& flags) {
  Definitions definitions(flags.tables.definitions, leave_out_except(flags.tables.tables));
  const std::vector<const Definition*> wanted = definitions.get_all(flags.tables.tables);
  const MachineResults machine = read_machine_results(flags.results);

  const Lookup lookup = lookup_in(machine.results);
  const std::vector<Table> made = each(wanted, [&](const Definition* definition) {
    return make_table(*definition, definitions, lookup, machine.name, machine.machine);
  });
  const std::string format = flags.output.format().empty() && !flags.tables.tables.empty()
                                 ? "text"
                                 : flags.output.format();
  if (format.empty()) {
    const OutputFolder folder = tables_folder(machine.folder);
    for (const Table& table : made) write_table(table, folder);
    print_line(stdout, "{} tables written to {}", made.size(), folder.path().string());
    return ExitCode::ok;
  }
  if (format == "html" || format == "json" || format == "csv") {
    flags.output.print(
        output_of_sheets("tables", [&] { return page_of(made); }, [&] { return sheets_of(made); }));
    return ExitCode::ok;
  }
  for (const Table& table : made) {
    if (&table != &made.front()) fmt::print("\n");
    fmt::print("{}", render(table, format));
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "tables",
     .summary = "Print tables from a machine's records, without running anything",
     .example =
         "  macrobench tables aldrich_2010/table_3\n"
         "  macrobench tables aldrich_2010/table_3 --format md --results results/nvidia_h200\n"
         "  macrobench tables        writes all of them into the folder of results",
     .rank = 21},
    [](Flags& flags, Options& app) {
      flags.tables.add_to(app);
      add_results_option(app, flags.results);
      flags.output.add_to(app, {"text", "md", "html", "csv", "json", "tex"}, false);
    },
    tables};

}  // namespace

}  // namespace macrobench
