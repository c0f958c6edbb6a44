#include "harness/files/executable.hpp"

#include <system_error>

namespace macrobench {

namespace fs = std::filesystem;

fs::path this_executable() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path data_folder(std::string_view name, const fs::path& in_sources) {
  const fs::path prefix = this_executable().parent_path().parent_path();
  const fs::path installed = prefix / "share" / "macrobench" / name;
  std::error_code unknown;
  return fs::is_directory(installed, unknown) ? installed : in_sources;
}

}  // namespace macrobench
