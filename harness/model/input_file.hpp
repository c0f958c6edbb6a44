#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace macrobench {

/// A user's file that a case reads: where it is, and what it contained when the case was made.
struct InputFile {
  std::string path;
  std::string digest;  ///< the first 12 hexadecimal digits of its SHA-256

  [[nodiscard]] bool empty() const { return path.empty(); }
  bool operator==(const InputFile&) const = default;
};

/// "PATH@DIGEST", the value of a file's axis, so that another content is another case; empty if
/// there is no file.
std::string to_string(const InputFile& file);

/// "NAME@DIGEST", which says on any machine what was read: such a value without the folders.
std::string without_folders(std::string_view value);

/// The fields of such a value; a path by itself has no digest.
InputFile input_file_from(std::string_view value);

/// Reads the file that a path or a value names. A value's digest must be the file's; a path gets
/// it. Throws UsageError with one sentence that begins with `axis`, also for a file of more than
/// `most` bytes, which is not read.
InputFile look_at(std::string_view axis, std::string_view value, std::uintmax_t most);

}  // namespace macrobench
