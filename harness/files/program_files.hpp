#pragma once

#include <filesystem>
#include <string_view>

namespace macrobench {

/// The file of the program that runs; empty where the system does not tell.
std::filesystem::path this_program();

/// Where the data lie that the program reads: PREFIX/share/macrobench/NAME beside a program
/// installed as PREFIX/bin/PROGRAM, else `in_sources`, where it was built.
std::filesystem::path data_folder(std::string_view name, const std::filesystem::path& in_sources);

}  // namespace macrobench
