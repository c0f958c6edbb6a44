#include "paper_tables/tables/table_options.hpp"

#include <fmt/format.h>

#include "harness/commands/command.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

/// Part of its name is not enough here: another machine's records could be taken for this one's.
std::filesystem::path folder_of_this_machine() {
  const std::filesystem::path all = "results";
  const std::filesystem::path folder = all / this_machine().slug();
  if (has_records(folder)) return folder;
  throw UsageError(
      fmt::format("{}: there are no records of this machine; macrobench replicate makes them, and "
                  "--results takes another machine's folder{}",
                  folder.string(), listed("beside it there are", machine_folders_in(all))));
}

}  // namespace

void TableOptions::add_to(Options& app) {
  app.add_option("tables", tables,
                 "Tables (aldrich_2010/table_3) or papers (aldrich_2010); all if none",
                 {.type_name = "TABLE"});
  definitions = default_definitions();
  app.add_option("--definitions", definitions, "Folder of the tables' definitions",
                 {.envname = "MACROBENCH_DEFINITIONS"});
}

std::string default_definitions() {
  return MACROBENCH_PAPER_TABLES_DIR;
}

std::filesystem::path tables_folder(const std::filesystem::path& results) {
  return results / "tables";
}

MachineResults read_machine_results(const std::string& folder) {
  const std::filesystem::path place =
      folder.empty() ? folder_of_this_machine() : find_machine_folder(folder);
  MachineResults found{
      .folder = place, .name = folder_name(place), .machine = {}, .results = read_results(place)};
  warn(found.results.warnings);
  if (found.results.records.empty()) {
    throw UsageError(fmt::format("{}: there is no record in its records.jsonl", place.string()));
  }
  const auto known = found.results.machines.find(found.results.records.back().machine);
  if (known != found.results.machines.end()) found.machine = known->second;
  return found;
}

}  // namespace macrobench
