#pragma once

#include <filesystem>

namespace macrobench {

/// An empty folder of its own that is gone with the object.
class ScratchFolder {
 public:
  ScratchFolder();  ///< throws Failure
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace macrobench
