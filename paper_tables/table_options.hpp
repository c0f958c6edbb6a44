#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace macrobench {

/// What the commands that make tables share: which ones, and where their definitions are.
struct TableOptions {
  std::vector<std::string> tables;  ///< empty: all
  std::string definitions;          ///< folder of definitions

  void add_to(CLI::App& app);
};

/// Where this program's own definitions are.
std::string default_definitions();

/// Where a machine's tables lie in its folder of results.
std::filesystem::path tables_folder(const std::filesystem::path& results);

/// How many columns standard output's terminal has; 100 where it is none.
std::size_t terminal_width();

}  // namespace macrobench
