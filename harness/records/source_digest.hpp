#pragma once

#include <string>

#include "harness/model/registry.hpp"

namespace macrobench {

/// SHA-256 over all that decides an implementation's results, as it was when the program was built:
/// see digest_of().
std::string source_digest(const Implementation& implementation);

}  // namespace macrobench
