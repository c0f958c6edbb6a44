#include "harness/records/line_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "harness/files/output_folder.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace fs = std::filesystem;

void fail(const fs::path& path, std::string_view what, int error) {
  std::string_view advice = "choose another folder with --results";
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    advice = "make room there, or choose another folder with --results";
  }
  throw Failure("{}: {}: {}; {}", path.string(), what, std::strerror(error), advice);
}

void LineFile::open(const fs::path& path, int flags) {
  path_ = path;
  const int opened = ::open(path.c_str(), flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
  const int error = errno;
  descriptor_ = Descriptor(opened);  // closing the last one may set errno
  if (descriptor_.is_open()) return;
  if (error == ELOOP) refuse_link(path);
  fail(path, "cannot be written to", error);
}

bool LineFile::is_in_place() const {
  struct stat opened{};
  struct stat found{};
  return ::fstat(descriptor(), &opened) == 0 && ::lstat(path_.c_str(), &found) == 0 &&
         opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

void LineFile::cut_to(const Usable& usable) {
  cut_to(usable.length);
  if (usable.lacks_line_end) append("\n");
}

void LineFile::cut_to(std::size_t length) {
  length_ = static_cast<off_t>(length);
  if (::ftruncate(descriptor(), length_) != 0) fail(path_, "cannot be written to", errno);
}

void LineFile::append(std::string_view text) {
  int error = write_all(descriptor(), text);
  if (error == 0 && ::fsync(descriptor()) != 0) error = errno;
  if (error != 0) {
    static_cast<void>(!::ftruncate(descriptor(), length_));
    fail(path_, "cannot be written to", error);
  }
  length_ += static_cast<off_t>(text.size());
  if (!is_in_place()) {
    throw Failure(
        "{}: it was removed or replaced while it was written to, so nothing more is measured; "
        "start again",
        path_.string());
  }
}

/// Makes the folder and its parents, each durable.
void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  const fs::path parent = fs::absolute(folder).parent_path();
  if (parent != folder) make_folder(parent);
  if (!fs::create_directory(folder, error) && error) {
    fail(folder, "cannot be created", error.value());
  }
  if (!fs::is_directory(folder, error)) fail(folder, "cannot be created", ENOTDIR);
  sync_folder(parent);
}

void sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) ::fsync(opened.get());
}

}  // namespace macrobench
