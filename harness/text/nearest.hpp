#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The name most similar to the given one, by edit distance; empty if there is none to choose from.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

/// "unknown <kind> 'name'; the nearest is 'x' (all of them: x, y, z)", for an error.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& names);

}  // namespace macrobench
