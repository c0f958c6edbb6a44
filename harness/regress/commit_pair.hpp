#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/sources/commit_sources.hpp"
#include "harness/sources/source_digest.hpp"

namespace macrobench {

/// Two commits of a repository, and what is the same in both, by git's objects alone: neither is
/// checked out or built.
class CommitPair {
 public:
  /// Branches, tags or hashes; an empty `head` is this build, with the build's rules of the work
  /// tree. What is not a commit has nothing in common with anything.
  CommitPair(const std::filesystem::path& repository, const std::string& base,
             const std::string& head);

  [[nodiscard]] const std::string& base() const { return base_; }  ///< SHA-1; empty if unknown
  [[nodiscard]] const std::string& head() const { return head_; }

  /// Whether all that decides the implementation's results and times is the same in both: the
  /// sources that its digest covers, the compilers and their flags, and the rules that it is built
  /// by.
  [[nodiscard]] bool has_same(const Implementation& implementation) const;

 private:
  [[nodiscard]] bool has_same_rules(const std::string& model) const;

  std::string base_, head_;
  CommitSources base_sources_, head_sources_;
  std::span<const SourceFile> base_files_, head_files_;
  std::vector<std::string> changed_rules_;  ///< the files that say how sources are built
};

}  // namespace macrobench
