#include "harness/whole_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "harness/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

void write_whole(const fs::path& path, std::string_view text) {
  fs::path unfinished = path;
  unfinished += ".unfinished";
  errno = 0;
  std::ofstream stream(unfinished, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code failed;
  if (stream) {
    fs::rename(unfinished, path, failed);
    if (!failed) return;
  } else {
    failed = std::error_code(errno, std::generic_category());
  }
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  throw Failure(fmt::format("{}: it cannot be written ({})", path.string(), failed.message()));
}

}  // namespace macrobench
