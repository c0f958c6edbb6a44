#pragma once

#include <string>

namespace macrobench {

/// Where an implementation's algorithm comes from.
enum class Origin {
  published,  ///< the paper's algorithm, its quirks included
  corrected,  ///< a published bug or unequal comparison corrected, under its own name
  frontier    ///< the best that we know
};

/// "published", "corrected" or "frontier".
std::string to_string(Origin origin);

}  // namespace macrobench
