#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/commands/options.hpp"
#include "harness/records/machine.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// What the commands that make tables share: which ones, and where their definitions are.
struct TableOptions {
  std::vector<std::string> tables;  ///< empty: all
  std::string definitions;          ///< folder of definitions

  void add_to(Options& app);
};

/// Where this program's own definitions are.
std::string default_definitions();

/// Where a machine's tables lie in its folder of results.
std::filesystem::path tables_folder(const std::filesystem::path& results);

/// A machine's folder of results, as the views that are made from it need it.
struct MachineResults {
  std::filesystem::path folder;
  std::string name;  ///< the folder's, whatever path leads to it
  Machine machine;   ///< of the newest record; empty if nothing is known of it
  Results results;
};

/// Reads the folder, of which a part of its name will do, or this machine's where none is named;
/// warns on standard error of lines that are no records. Throws UsageError where there are none.
MachineResults read_machine_results(const std::string& folder);

}  // namespace macrobench
