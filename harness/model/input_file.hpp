#pragma once

#include <string>
#include <string_view>

namespace macrobench {

/// A user's file that a case reads: where it is, and what it held when the case was made.
struct InputFile {
  std::string path;
  std::string digest;  ///< the first 12 hexadecimal digits of its SHA-256

  [[nodiscard]] bool empty() const { return path.empty(); }
  bool operator==(const InputFile&) const = default;
};

/// "PATH@DIGEST", the value of an axis that is a file, so that another content is another case;
/// empty where there is no file.
std::string to_string(const InputFile& file);

/// "NAME@DIGEST", which says what was read on whatever machine: such a value without the folders.
std::string without_folders(std::string_view value);

/// What such a value says; a path that stands alone comes without a digest.
InputFile input_file_from(std::string_view value);

/// Looks at the file that a path or a value names. A value's digest must be the file's, a path gets
/// it. Throws UsageError with one sentence that begins with `axis`.
InputFile look_at(std::string_view axis, std::string_view value);

}  // namespace macrobench
