#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "harness/text/error.hpp"

namespace macrobench {

/// An empty folder that is removed with the object.
class ScratchFolder {
 public:
  /// Throws Failure.
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "macrobench_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Failure("no temporary folder could be made");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace macrobench
