#include "harness/files/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
  throw Failure("{}: it cannot be {} ({})", path.string(), what, std::strerror(error));
}

/// A name leads nowhere else. A stranger's definitions name the files of tables.
const char* checked(const fs::path& folder, const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    throw Failure("{}: '{}' is not the name of a file in it", folder.string(), name);
  }
  return name.c_str();
}

/// A name that nobody can have guessed.
std::string aside_of(const std::string& name) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}.unfinished", name, random(), random());
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& path) : path_(path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) fail(path, "created", failed.value());
  descriptor_ = Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor_.is_open()) fail(path, "opened", errno);
}

OutputFolder OutputFolder::folder(const std::string& name) const {
  fs::path path = path_ / checked(path_, name);
  if (::mkdirat(descriptor_.get(), name.c_str(), 0777) != 0 && errno != EEXIST) {
    fail(path, "created", errno);
  }
  Descriptor made(
      ::openat(descriptor_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!made.is_open()) {
    const int error = errno;
    if (fs::is_symlink(path)) refuse_link(path);
    fail(path, "opened", error);
  }
  return {std::move(path), std::move(made)};
}

void OutputFolder::write(const std::string& name, std::string_view text, Durable durable) const {
  const int folder = descriptor_.get();
  const std::string aside = aside_of(checked(path_, name));
  Descriptor file(
      ::openat(folder, aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.is_open()) fail(path_ / name, "written", errno);
  int error = write_all(file.get(), text);
  if (error == 0 && durable == Durable::yes && ::fsync(file.get()) != 0) error = errno;
  // Some file systems only say now that there was no room.
  if (error == 0 && file.close() != 0) error = errno;
  if (error == 0 && ::renameat(folder, aside.c_str(), folder, name.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlinkat(folder, aside.c_str(), 0);
    fail(path_ / name, "written", error);
  }
  if (durable == Durable::yes) ::fsync(folder);
}

void refuse_link(const fs::path& path) {
  throw Failure(
      "{}: it is a link, and nothing is written through links in a folder of results; remove it",
      path.string());
}

}  // namespace macrobench
