#include "harness/files/program_files.hpp"

#include <system_error>

namespace macrobench {

namespace fs = std::filesystem;

fs::path this_program() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path data_folder(std::string_view name, const fs::path& in_sources) {
  const fs::path prefix = this_program().parent_path().parent_path();
  const fs::path installed = prefix / "share" / "macrobench" / name;
  std::error_code unknown;
  return fs::is_directory(installed, unknown) ? installed : in_sources;
}

}  // namespace macrobench
