#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace macrobench {

/// How much of a file of lines can be used: what comes before a torn last line.
struct Usable {
  std::size_t length = 0;
  bool lacks_line_end = false;  ///< whether the last line is whole but for its end
};

/// A file that grows by whole lines or not at all. What cannot be done is a Failure.
class LineFile {
 public:
  LineFile() = default;
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Makes it if need be; `flags` are those of open(2).
  void open(const std::filesystem::path& path, int flags);
  /// Leaves what can be used, in whole lines.
  void cut_to(const Usable& usable);
  void cut_to(std::size_t length);
  /// Writes the text and waits until it is on the disk. On an error the file is as it was.
  void append(std::string_view text);

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  off_t length_ = 0;
};

/// Throws a Failure: what is the matter with a file of results, errno's word for it, and advice.
[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error);

/// Makes the folder and those above it, each durable.
void make_folder(const std::filesystem::path& folder);

/// Waits until the folder's list of files is on the disk.
void sync_folder(const std::filesystem::path& folder);

/// Puts the text in the file's place: written beside it and on the disk first, so that one of the
/// two is there, whole, at any moment.
void replace_durably(const std::filesystem::path& path, std::string_view text);

}  // namespace macrobench
