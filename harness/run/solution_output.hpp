#pragma once

#include <filesystem>
#include <string>

#include "harness/model/registry.hpp"

namespace macrobench {

/// Writes the instance's last solution, which is also `stored`, into the folder, with its case and
/// what its certificate says. Throws Failure.
void write_solution(const Case& which, const Instance& instance, const std::string& stored,
                    const Outcome& outcome, const std::filesystem::path& folder);

}  // namespace macrobench
