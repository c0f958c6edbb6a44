#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

// What a wrong word is answered with, wherever one is read: an argument, an option, a field.

/// The name most similar to the given one, by edit distance, whatever their case; empty if there is
/// none to choose from.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

/// "unknown <kind> 'name'; the nearest is 'x' (all of them: x, y, z)", for an error; of very many
/// only the most alike are named.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& names);

}  // namespace macrobench
