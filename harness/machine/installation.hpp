#pragma once

#include <filesystem>
#include <string>

namespace macrobench {

/// Which installation of an operating system this is, of all that there are.
struct Installation {
  /// 32 hexadecimal digits, which cannot be turned back into what they are made from; empty if
  /// nothing is known.
  std::string id;
  /// What they are made from: "machine-id", "state", "name"; empty if nothing is known.
  std::string from;

  bool operator==(const Installation&) const = default;
};

/// The variable of the environment with which a user calls several equal machines one: the nodes of
/// a cluster's partition.
inline constexpr const char* installation_variable = "MACROBENCH_INSTALLATION";

/// This machine's: by the name in the environment, else by /etc/machine-id, else by random digits
/// that are kept in the user's state folder.
Installation this_installation();

/// By the digits of a file such as /etc/machine-id, as HMAC-SHA-256 under a key of macrobench's
/// own; nothing if the file has no such id, as in the image of a container.
Installation installation_by_machine_id(const std::filesystem::path& file);

/// By the random digits of STATE/macrobench/installation_HOST, which are drawn and written at
/// first; nothing if they cannot be kept there. The host's name is there because hosts may share a
/// home; a container's, which Docker or Podman draws, is left out: STATE/macrobench/installation.
Installation installation_by_state(const std::filesystem::path& state, const std::string& host);

/// By those of this host.
Installation installation_by_state(const std::filesystem::path& state);

}  // namespace macrobench
