#include "harness/model/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "harness/files/descriptor.hpp"
#include "harness/files/digest.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

constexpr std::size_t digits = 12;

bool is_digest(std::string_view text) {
  return text.size() == digits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

[[noreturn]] void refuse(std::string_view axis, std::string_view path, std::string_view why) {
  throw UsageError("{} = {}: {}", axis, path, why);
}

/// What shows that a file's content is still the one that was read.
using State = std::tuple<dev_t, ino_t, off_t, time_t, long, time_t, long>;

State state_of(const struct stat& about) {
  return {about.st_dev,          about.st_ino,         about.st_size,        about.st_mtim.tv_sec,
          about.st_mtim.tv_nsec, about.st_ctim.tv_sec, about.st_ctim.tv_nsec};
}

std::string digest_of_file(std::string_view axis, const std::string& path, std::uintmax_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0) {
    refuse(axis, path, errno == ENOENT ? "the file does not exist" : std::strerror(errno));
  }
  if (S_ISDIR(about.st_mode)) refuse(axis, path, "it is a folder, not a file");
  if (!S_ISREG(about.st_mode)) {
    refuse(axis, path, "it is not a regular file, and it must be read twice");
  }
  const auto bytes = static_cast<std::uintmax_t>(about.st_size);
  if (bytes > most) {
    refuse(axis, path,
           fmt::format("it is too large: it has {} bytes, and at most {} are read", bytes, most));
  }

  // A case is read more often than its files change, but a clock's step may hide two changes.
  static std::mutex mutex;
  static std::map<State, std::string> known;
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find(state_of(about)); found != known.end()) return found->second;
  try {
    std::string digest = sha256_of_file(file.get()).substr(0, digits);
    constexpr time_t settled = 2;  // seconds
    if (about.st_ctim.tv_sec + settled < ::time(nullptr)) known[state_of(about)] = digest;
    return digest;
  } catch (const std::system_error& error) {
    refuse(axis, path, error.what());
  }
}

/// A path is part of keys, records and messages between processes.
void check_characters(std::string_view axis, std::string_view path) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  if (std::ranges::any_of(path, is_control)) {
    throw UsageError("{}: the path has control characters; rename the file", axis);
  }
  try {
    static_cast<void>(nlohmann::json(path).dump());
  } catch (const nlohmann::json::exception&) {
    throw UsageError("{}: the path is not UTF-8; rename the file", axis);
  }
}

}  // namespace

std::string to_string(const InputFile& file) {
  return file.digest.empty() ? file.path : file.path + "@" + file.digest;
}

std::string without_folders(std::string_view value) {
  InputFile file = input_file_from(value);
  file.path = std::filesystem::path(file.path).filename().string();
  return to_string(file);
}

InputFile input_file_from(std::string_view value) {
  const std::size_t at = value.rfind('@');
  if (at == 0 || at == std::string_view::npos || !is_digest(value.substr(at + 1))) {
    return {std::string(value), ""};
  }
  return {std::string(value.substr(0, at)), std::string(value.substr(at + 1))};
}

InputFile look_at(std::string_view axis, std::string_view value, std::uintmax_t most) {
  if (value.empty()) return {};
  check_characters(axis, value);
  InputFile file = input_file_from(value);
  // A file's own name may look like a value.
  std::error_code ignored;
  if (!file.digest.empty() && !std::filesystem::exists(file.path, ignored) &&
      std::filesystem::exists(value, ignored)) {
    file = {std::string(value), ""};
  }
  const std::string digest = digest_of_file(axis, file.path, most);
  if (!file.digest.empty() && file.digest != digest) {
    refuse(
        axis, file.path,
        fmt::format("the file has changed: its digest was {} and is now {}", file.digest, digest));
  }
  file.digest = digest;
  return file;
}

}  // namespace macrobench
