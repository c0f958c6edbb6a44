#include "harness/files/temporary_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/files/folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "macrobench_";

/// Differs between hosts and containers, which may share the folder: each counts processes alone.
std::string where_processes_are_counted() {
  std::array<char, 256> host{};
  static_cast<void>(::gethostname(host.data(), host.size() - 1));
  std::error_code unknown;
  const fs::path pids = fs::read_symlink("/proc/self/ns/pid", unknown);
  return fmt::format(
      "{:08x}", static_cast<std::uint32_t>(std::hash<std::string>{}(host.data() + pids.string())));
}

void remove_stale(const fs::path& folder, const std::string& beginning) {
  for (const fs::path& path : paths_in(folder)) {
    const std::string name = path.filename();
    if (!name.starts_with(beginning)) continue;
    const pid_t owner = std::atoi(name.c_str() + beginning.size());
    std::error_code ignored;
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(path, ignored);
  }
}

}  // namespace

fs::path folder_for_temporary_files() {
  const char* const set = std::getenv("TMPDIR");
  std::error_code unknown;
  if (set == nullptr || *set == '\0') {
    if (fs::is_directory("/tmp", unknown)) return "/tmp";
    throw Failure("there is no folder /tmp for temporary files: TMPDIR may name another");
  }
  if (fs::is_directory(set, unknown)) return set;
  throw Failure("TMPDIR={}: there is no such folder for temporary files", shown(set));
}

TemporaryFolder::TemporaryFolder() {
  const fs::path folder = folder_for_temporary_files();
  const std::string beginning = fmt::format("{}{}_", prefix, where_processes_are_counted());
  remove_stale(folder, beginning);
  std::string name = (folder / fmt::format("{}{}_XXXXXX", beginning, ::getpid())).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Failure("temporary files cannot be made in {} ({}): TMPDIR may name another folder",
                  folder.string(), std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace macrobench
