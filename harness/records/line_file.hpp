#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "harness/files/descriptor.hpp"

namespace macrobench {

/// How much of a file of lines can be used: everything before a torn last line.
struct Usable {
  std::size_t length = 0;
  bool lacks_line_end = false;  ///< whether the last line is whole except for its line end
};

/// A file that grows only by whole lines, and is never a link. Throws Failure if something cannot
/// be done.
class LineFile {
 public:
  /// Creates it if needed; `flags` are those of open(2).
  void open(const std::filesystem::path& path, int flags);
  /// Keeps only what can be used, in whole lines.
  void cut_to(const Usable& usable);
  void cut_to(std::size_t length);
  /// Writes the text and waits until it is on the disk. On an error the file is unchanged; it is
  /// one if the path no longer leads to this file, because then nobody would find the text.
  void append(std::string_view text);

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

 private:
  [[nodiscard]] bool is_in_place() const;

  std::filesystem::path path_;
  Descriptor descriptor_;
  off_t length_ = 0;
};

/// Throws a Failure: what is wrong with a file of results, errno's message, and advice.
[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error);

/// Makes the folder and its parents, each durable.
void make_folder(const std::filesystem::path& folder);

/// Waits until the folder's list of files is on the disk.
void sync_folder(const std::filesystem::path& folder);

}  // namespace macrobench
