// macrobench tables: makes the tables again from records, on any machine.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/command.hpp"
#include "harness/machine.hpp"
#include "harness/record_store.hpp"
#include "paper_tables/lookup.hpp"
#include "paper_tables/render.hpp"
#include "paper_tables/table_options.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  TableOptions tables;
  std::string results;
  std::string format;
};

/// The folder's name is the machine's, whatever path leads to it.
std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

ExitCode tables(const Flags& flags) {
  const fs::path folder =
      flags.results.empty() ? fs::path("results") / this_machine().slug() : fs::path(flags.results);
  if (!fs::exists(folder / "records.jsonl")) {
    throw UsageError(
        fmt::format("{}: no records are there; name a machine's folder (--results results/MACHINE)",
                    folder.string()));
  }
  Definitions definitions(flags.tables.definitions);
  const std::vector<const Definition*> wanted = definitions.get_all(flags.tables.tables);
  const Results results = read_results(folder);
  for (const std::string& warning : results.warnings) {
    fmt::print(stderr, "macrobench: warning: {}\n", warning);
  }
  Machine machine;
  if (!results.records.empty()) {
    const auto known = results.machines.find(results.records.back().machine);
    if (known != results.machines.end()) machine = known->second;
  }

  const Lookup lookup = lookup_in(results);
  std::vector<Table> made;
  for (const Definition* definition : wanted) {
    made.push_back(make_table(*definition, definitions, lookup, folder_name(folder), machine));
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
    for (const Table& table : made) write_table(table, tables_folder(folder));
    fmt::print("{} tables written to {}\n", made.size(), tables_folder(folder).string());
  }
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "tables",
     .summary = "Make the tables again from a machine's records, without running anything",
     .example = "  macrobench tables --results results/intel_xeon_16_cores_nvidia_h100\n"
                "  macrobench tables aldrich_2010/table_3 --format md",
     .define = [](CLI::App& app) -> std::function<ExitCode()> {
       const auto flags = std::make_shared<Flags>();
       flags->tables.add_to(app);
       app.add_option("--results", flags->results,
                      "A machine's folder of results (default: this machine's)");
       app.add_option("--format", flags->format,
                      "Print them as md, csv, tex or json instead of writing them")
           ->check(CLI::IsMember(table_formats()));
       return [flags] { return tables(*flags); };
     },
     .rank = 20}};

}  // namespace

}  // namespace macrobench
