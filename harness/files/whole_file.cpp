#include "harness/files/whole_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "harness/files/descriptor.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path, std::uintmax_t most) {
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
  const std::uintmax_t size = fs::file_size(path);
  if (size > most) {
    throw Failure("{}: it is too large: it has {} bytes, and at most {} are read", path.string(),
                  size, most);
  }
  // What is appended meanwhile is left to the next reader.
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.bad()) fail(EIO);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string kernel_text(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw Failure("{}: it cannot be written ({})", path.string(), std::strerror(error));
}

/// Of a device or a pipe, which cannot be replaced.
void write_to(const fs::path& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
  int error = file.is_open() ? write_all(file.get(), text) : errno;
  if (error == 0 && file.close() != 0) error = errno;
  if (error != 0) refuse(path, error);
}

/// Where the links end; the last one may lead to nothing yet.
fs::path followed(fs::path path) {
  constexpr int most_links = 40;  // the kernel's own limit
  for (int i = 0; fs::is_symlink(path); ++i) {
    if (i == most_links) refuse(path, ELOOP);
    path = path.parent_path() / fs::read_symlink(path);
  }
  return path;
}

}  // namespace

void write_whole(const fs::path& path, std::string_view text) {
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  const bool is_stream = type != fs::file_type::regular && type != fs::file_type::directory &&
                         type != fs::file_type::not_found && type != fs::file_type::none;
  // /dev/stdout leads to a regular file where the shell says so, and that one is the shell's.
  const bool is_open_elsewhere = path.string().starts_with("/dev/");
  if (is_stream || is_open_elsewhere) return write_to(path, text);
  const fs::path file = followed(path);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    refuse(path, fs::exists(folder, ignored) ? ENOTDIR : ENOENT);
  }
  OutputFolder(folder).write(file.filename().string(), text);
}

}  // namespace macrobench
