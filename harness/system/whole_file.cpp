#include "harness/system/whole_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  const auto fail = [&](int error) {
    throw std::system_error(error, std::generic_category(), path.string());
  };
  const fs::file_type type = fs::status(path).type();
  if (type == fs::file_type::directory) fail(EISDIR);
  const bool would_wait = type != fs::file_type::regular && type != fs::file_type::not_found;
  if (would_wait) fail(EINVAL);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno != 0 ? errno : EIO);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  throw Failure("{}: it cannot be written ({})", path.string(), failed.message());
}

}  // namespace macrobench
