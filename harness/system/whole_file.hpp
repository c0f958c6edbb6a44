#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace macrobench {

/// All bytes of a regular file. Throws std::system_error if it does not exist, is something else,
/// or cannot be read.
std::string read_whole(const std::filesystem::path& path);

/// Writes the whole file or nothing: first under another name beside it. Throws Failure with one
/// sentence.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace macrobench
