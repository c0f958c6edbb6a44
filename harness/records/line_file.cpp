#include "harness/records/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

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
  descriptor_ = Descriptor(::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, 0644));
  if (!descriptor_.is_open()) fail(path, "cannot be written to", errno);
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
  int error = 0;
  for (std::string_view rest = text; error == 0 && !rest.empty();) {
    const ssize_t written = ::write(descriptor(), rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && ::fsync(descriptor()) != 0) error = errno;
  if (error != 0) {
    static_cast<void>(!::ftruncate(descriptor(), length_));
    fail(path_, "cannot be written to", error);
  }
  length_ += static_cast<off_t>(text.size());
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

void replace_durably(const fs::path& path, std::string_view text) {
  fs::path aside = path;
  aside += ".unfinished";
  {
    LineFile file;
    file.open(aside, O_WRONLY | O_APPEND);
    file.cut_to(0);
    file.append(text);
  }
  std::error_code error;
  fs::rename(aside, path, error);
  if (error) fail(path, "cannot be replaced", error.value());
  sync_folder(path.parent_path());
}

}  // namespace macrobench
