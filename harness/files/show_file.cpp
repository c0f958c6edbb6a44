#include "harness/files/show_file.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace macrobench {

namespace {

bool has_desktop() {
  constexpr std::array<const char*, 4> signs{"DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME",
                                             "BROWSER"};
  return std::ranges::any_of(signs, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

bool show_file(const std::filesystem::path& file) {
  if (!has_desktop()) return false;
  std::string path = std::filesystem::absolute(file).string();
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {0, 1, 2}) {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  }
  bool is_shown = false;
  for (const char* name : {"xdg-open", "wslview"}) {
    std::string opener = name;
    std::array<char*, 3> command{opener.data(), path.data(), nullptr};
    pid_t child = 0;
    is_shown = posix_spawnp(&child, name, &actions, &attributes, command.data(), environ) == 0;
    if (is_shown) break;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return is_shown;
}

}  // namespace macrobench
