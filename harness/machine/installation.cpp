#include "harness/machine/installation.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>

#include "harness/files/digest.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// As many as /etc/machine-id has.
constexpr std::size_t digits = 32;

/// So that the digits are good for nothing else, and no other application's are these.
constexpr std::string_view purpose = "macrobench: which installation made these records";

/// The id in the file; empty if there is none.
std::string id_in(const fs::path& file) {
  try {
    const std::string content = read_whole(file, std::uintmax_t{1} << 10);
    const std::string id(trim(content));
    // A container's image may have an empty file, "uninitialized", or zeros.
    const bool is_id = id.size() == digits &&
                       id.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos &&
                       id.find_first_not_of('0') != std::string::npos;
    return is_id ? id : "";
  } catch (const std::exception&) {
    return "";
  }
}

/// The folder for what a user's applications keep, by the XDG Base Directory Specification; empty
/// if the environment names none.
fs::path state_folder() {
  const auto folder_in = [](const char* variable) -> fs::path {
    const char* set = std::getenv(variable);
    const fs::path path = set == nullptr ? "" : set;
    return path.is_absolute() ? path : "";
  };
  const fs::path state = folder_in("XDG_STATE_HOME");
  const fs::path home = folder_in("HOME");
  return !state.empty() || home.empty() ? state : home / ".local" / "state";
}

/// The part of the host's name that stays: nothing of 12 hexadecimal digits, which is what Docker
/// and Podman call a container, another one each time that it runs.
std::string lasting(std::string host) {
  const bool is_drawn =
      host.size() == 12 && host.find_first_not_of("0123456789abcdef") == std::string::npos;
  std::ranges::replace(host, '/', '_');
  return is_drawn ? "" : host;
}

std::string host_name() {
  utsname host{};
  return ::uname(&host) == 0 ? host.nodename : "";
}

}  // namespace

Installation installation_by_machine_id(const fs::path& file) {
  const std::string id = id_in(file);
  if (id.empty()) return {};
  return {hmac_sha256(id, purpose).substr(0, digits), "machine-id"};
}

Installation installation_by_state(const fs::path& state) {
  return installation_by_state(state, host_name());
}

Installation installation_by_state(const fs::path& state, const std::string& of_host) {
  if (state.empty()) return {};
  const fs::path folder = state / "macrobench";
  const std::string of_any_host = "installation";
  const std::string host = lasting(of_host);
  const std::string name = host.empty() ? of_any_host : of_any_host + "_" + host;
  // Hosts may share a home. A file from before they had one each goes to the first that asks for
  // it.
  std::error_code is_not_there;
  if (!host.empty() && !fs::exists(folder / name, is_not_there)) {
    fs::rename(folder / of_any_host, folder / name, is_not_there);
  }
  std::string id = id_in(folder / name);
  if (id.empty()) {
    std::random_device random;
    for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", random());
    try {
      OutputFolder(folder).write(name, id + "\n", Durable::yes);
    } catch (const std::exception&) {
      return {};  // another one at every run would be worse than none
    }
    // Another process may have written its own at the same time: the later one is everybody's.
    id = id_in(folder / name);
  }
  return {id, "state"};
}

Installation this_installation() {
  const char* name = std::getenv(installation_variable);
  if (name != nullptr && *name != '\0') return {sha256(name).substr(0, digits), "name"};
  Installation found = installation_by_machine_id("/etc/machine-id");
  if (found.id.empty()) found = installation_by_state(state_folder());
  return found;
}

}  // namespace macrobench
