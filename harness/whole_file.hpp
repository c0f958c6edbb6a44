#pragma once

#include <filesystem>
#include <string_view>

namespace macrobench {

/// Writes the file whole or not at all: under another name first, beside it. Throws Failure with
/// one sentence.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace macrobench
