#pragma once

#include <string>

#include "harness/model/registry.hpp"

namespace macrobench {

/// SHA-256 over the implementation's own file, every file of the project that it includes, and what
/// is in the folders of these files' names (solve/ for solve.cpp, policy/ for policy/policy.hpp),
/// as they were when the program was built.
std::string source_digest(const Implementation& implementation);

}  // namespace macrobench
