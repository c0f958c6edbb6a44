#pragma once

#include <filesystem>
#include <vector>

namespace macrobench {

/// What is in a folder, sorted; nothing if it cannot be read. Nothing is followed or opened.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder);

}  // namespace macrobench
