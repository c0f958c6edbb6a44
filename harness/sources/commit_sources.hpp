#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sources/source_digest.hpp"

namespace macrobench {

// What git knows about this build's sources. Nothing is checked out, built or fetched.

/// What git prints; none if it fails. The repository may belong to another user, an object is the
/// one that its name says, and nothing is fetched.
std::optional<std::string> git(const std::filesystem::path& repository,
                               const std::vector<std::string>& arguments,
                               const std::string& input = {});

/// Whether the text can be nothing but a commit's hash, or its beginning.
bool is_commit_hash(std::string_view text);

/// The hash of the commit that a branch, a tag or a hash names; empty if there is none.
std::string commit_named(const std::filesystem::path& repository, const std::string& ref);

/// The files that decide results, as they are in a commit.
class CommitSources {
 public:
  CommitSources(const std::filesystem::path& repository, const std::string& commit);
  CommitSources(CommitSources&&) = default;
  CommitSources& operator=(CommitSources&&) = default;
  CommitSources(const CommitSources&) = delete;
  CommitSources& operator=(const CommitSources&) = delete;
  ~CommitSources() = default;

  /// Sorted by path; empty if they cannot be read. Refers to this object.
  [[nodiscard]] std::span<const SourceFile> files() const { return files_; }

 private:
  struct File {
    std::string path;
    std::string sha256;
    std::vector<std::string> includes;
  };
  static std::vector<File> read(const std::filesystem::path& repository, const std::string& commit);

  std::vector<File> owned_;
  std::vector<SourceFile> files_;
};

}  // namespace macrobench
