#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace macrobench {

/// The result of migrating a machine's folder.
struct Migration {
  int rewritten = 0;    ///< records
  int unchanged = 0;    ///< records already in the present schema
  int passed_over = 0;  ///< lines that are not records, kept as they are
  /// Implementations that the build leaves out, with the number of their records whose work and
  /// floor are therefore not known. Another build can add them.
  std::map<std::string, int> without_facts = {};
  std::vector<std::string> warnings = {};
};

/// Rewrites the folder's records in the present schema. Every value of a record is in its new line,
/// or none is written: throws Failure. At any moment the file is the old one or the new one, whole.
/// Throws Failure if another run uses the folder. Migrating twice changes nothing.
Migration migrate(const std::filesystem::path& folder);

}  // namespace macrobench
