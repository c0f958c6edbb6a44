#pragma once

#include <string>

#include "paper_tables/definitions/place.hpp"

namespace macrobench {

/// Whether the paper says how a number is computed, or we infer it.
enum class Basis { stated, inferred };

std::string to_string(Basis basis);

/// "stated" or "inferred". Throws UsageError.
Basis read_basis(const Place& place);

}  // namespace macrobench
