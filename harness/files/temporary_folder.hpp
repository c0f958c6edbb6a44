#pragma once

#include <filesystem>

namespace macrobench {

/// What TMPDIR names, else /tmp. Throws Failure, which names both, if there is no such folder.
std::filesystem::path folder_for_temporary_files();

/// An empty folder below the system's folder for such; removed with this object. Those that killed
/// processes of macrobench left there go when the next one is made.
class TemporaryFolder {
 public:
  /// Throws Failure.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace macrobench
