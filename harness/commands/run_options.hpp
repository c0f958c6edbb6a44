#pragma once

#include <string>

#include "harness/commands/options.hpp"
#include "harness/run/runner.hpp"

namespace macrobench {

/// The options of every command that runs cases: how thoroughly, how often, for how long.
struct RunFlags {
  std::string deadline = "10m";
  bool certify = false;
  bool strict = false;
  Sampling sampling;

  void add_to(Options& app);
  [[nodiscard]] RunOptions options() const;  ///< throws UsageError
};

}  // namespace macrobench
