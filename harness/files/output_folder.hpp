#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/files/descriptor.hpp"

namespace macrobench {

/// Whether a file must be on the disk before it counts as written.
enum class Durable { no, yes };

/// A folder in which files and folders are made without following links: who made the folder may
/// have put links there, to what its reader holds dear.
class OutputFolder {
 public:
  /// The folder that the user names, or that macrobench knows; it may itself be a link. Makes it
  /// and its parents if needed. Throws Failure if that cannot be done.
  explicit OutputFolder(const std::filesystem::path& path);

  /// The folder of this name in it; made if needed. Throws Failure if it is a link, or no folder.
  [[nodiscard]] OutputFolder folder(const std::string& name) const;

  /// Writes the whole file or nothing: first under a random name beside it. A link of this name is
  /// replaced. Throws Failure with one sentence.
  void write(const std::string& name, std::string_view text, Durable durable = Durable::no) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  OutputFolder(std::filesystem::path path, Descriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// Throws the Failure with which a link in a folder of results is refused.
[[noreturn]] void refuse_link(const std::filesystem::path& path);

}  // namespace macrobench
