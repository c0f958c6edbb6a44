#pragma once

#include <filesystem>

namespace macrobench {

/// Has the user's desktop show the file, in a process that outlives this one. Returns whether there
/// is a desktop and something that opens files on it.
bool show_file(const std::filesystem::path& file);

}  // namespace macrobench
