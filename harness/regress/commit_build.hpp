#pragma once

#include <filesystem>
#include <string>

#include "harness/machine/machine.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// A commit could not be built. The script that builds has told the user why.
struct NotBuilt {
  ExitCode code;
};

/// The sources that a machine's macrobench was built from, as far as its block says.
struct SourceState {
  std::string commit;  ///< SHA-1; empty if it is not known
  bool dirty;          ///< whether files are known to have differed from the commit
};
SourceState source_of(const Machine& machine);

/// The build of a commit (a branch, a tag or a hash) of the repository that macrobench was
/// built in: build/commits/<sha>/build/macrobench. It is built if need be, which the user sees on
/// standard error. Throws UsageError where there is no repository, and NotBuilt.
std::filesystem::path build_of_commit(const std::string& ref, bool with_cuda);

}  // namespace macrobench
