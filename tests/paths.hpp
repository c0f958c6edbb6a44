#pragma once

#include <string>

namespace macrobench {

/// The repository, as it was built.
std::string source_folder();
/// The macrobench under test.
std::string executable_path();
/// Where the executables that the tests run as children lie.
std::string test_executables_folder();

}  // namespace macrobench
