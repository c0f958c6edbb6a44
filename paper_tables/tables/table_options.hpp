#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/commands/options.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// The options that the commands for tables share: which ones, and where their definitions are.
struct TableOptions {
  std::vector<std::string> tables;  ///< empty: all
  std::string definitions;          ///< folder of definitions

  void add_to(Options& app);
};

/// Where this program's own definitions are.
std::string default_definitions();

/// Where a machine's tables are in its folder of results.
std::filesystem::path tables_folder(const std::filesystem::path& results);

/// A machine's folder of results, as the views made from it need it.
struct MachineResults {
  std::filesystem::path folder;
  std::string name;  ///< the folder's, without the path to it
  Machine machine;   ///< of the newest record; empty if nothing is known about it
  Results results;
};

/// Reads the folder (part of its name is enough), or this machine's if none is named; warns on
/// standard error about lines that are not records. Throws UsageError if there are none.
MachineResults read_machine_results(const std::string& folder);

}  // namespace macrobench
