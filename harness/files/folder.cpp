#include "harness/files/folder.hpp"

#include <algorithm>
#include <system_error>

namespace macrobench {

namespace fs = std::filesystem;

std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; entry != end; entry.increment(failed)) {
    paths.push_back(entry->path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace macrobench
