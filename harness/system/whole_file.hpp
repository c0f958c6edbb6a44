#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace macrobench {

/// All bytes of a regular file. Throws std::system_error if it does not exist, is something else,
/// or cannot be read.
std::string read_whole(const std::filesystem::path& path);

/// Writes the whole file or nothing, where the user asked for it: links are followed, and what is
/// not a regular file (a device, a pipe) is written to as it is. What this program names itself is
/// written by an OutputFolder. Throws Failure with one sentence.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace macrobench
