#pragma once

#include <filesystem>
#include <string_view>

namespace macrobench {

/// The executable file of this process; empty where the system does not tell.
std::filesystem::path this_executable();

/// Where the data are that macrobench reads: PREFIX/share/macrobench/NAME beside an executable
/// installed as PREFIX/bin/NAME, else `in_sources`, where it was built.
std::filesystem::path data_folder(std::string_view name, const std::filesystem::path& in_sources);

}  // namespace macrobench
