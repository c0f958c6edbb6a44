#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace macrobench {

/// A file with more bytes is not read.
inline constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

/// All bytes of a regular file. Throws std::system_error if it does not exist, is something else,
/// or cannot be read, and Failure, before it reads any, if they are too many.
std::string read_whole(const std::filesystem::path& path, std::uintmax_t most = largest_file);

/// The text of a file of the kernel's, which does not say how long it is; empty if it cannot be
/// read.
std::string kernel_text(const std::filesystem::path& path);

/// Writes the whole file or nothing, where the user asked for it: links are followed, and what is
/// not a regular file (a device, a pipe) is written to as it is. What macrobench names itself is
/// written by an OutputFolder. Throws Failure with one sentence.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace macrobench
