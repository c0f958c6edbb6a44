#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/run/runner.hpp"

namespace macrobench {

/// The options that every command that runs cases has: how thoroughly, how often, for how long.
struct RunFlags {
  std::string deadline = "10m";
  bool certify = false;
  bool strict = false;
  Sampling sampling;

  void add_to(CLI::App& app);
  [[nodiscard]] RunOptions options() const;  ///< throws UsageError
};

}  // namespace macrobench
