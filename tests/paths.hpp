#pragma once

#include <string>

namespace macrobench {

/// The repository, as it was built.
std::string source_folder();
/// The program under test.
std::string program_path();
/// Where the programs that the tests run as children lie.
std::string test_programs_folder();

}  // namespace macrobench
