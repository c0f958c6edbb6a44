#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/machine/machine.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// Which sources made a record: those of this build, or of a commit before the one checked out in
/// a repository. Digests are computed from the commit's files and the compilers in the machine's
/// block, as the build does, and for a program from outside from its folder in the commit; a commit
/// is read once.
class SourceHistory {
 public:
  /// `repository` is a git work tree; empty: only this build's sources are known.
  explicit SourceHistory(std::filesystem::path repository);

  /// The repository around this executable or around the current folder; empty if there is none.
  static std::filesystem::path repository_here();

  /// Empty if the record's digest is that of known sources, else the reason that it is not.
  [[nodiscard]] std::string why_unknown(const Record& record, const Machine& machine) const;

 private:
  /// The digests of a model's implementations, or why there are none.
  struct Digests {
    std::set<std::string> known;
    std::string why_none;
  };
  const Digests& digests_of(const std::string& model, const Machine& machine) const;

  std::filesystem::path repository_;
  mutable std::map<std::pair<std::string, std::string>, Digests> cache_;  ///< by machine and model
};

}  // namespace macrobench
