#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace macrobench {

/// What became of a machine's folder of results.
struct Migration {
  int rewritten = 0;    ///< records
  int unchanged = 0;    ///< records that are of the present schema already
  int passed_over = 0;  ///< lines that are no record, kept as they are
  /// Implementations that the build leaves out, and how many of their records' work and floor are
  /// therefore not known. Another build can add them.
  std::map<std::string, int> without_facts = {};
  std::vector<std::string> warnings = {};
};

/// Rewrites the folder's records in the present schema. Every value of a record is in its new line,
/// or none is written: throws Failure. At any moment the file is the old one or the new one, whole.
/// Throws Failure where another run uses the folder. A second time changes nothing.
Migration migrate(const std::filesystem::path& folder);

}  // namespace macrobench
