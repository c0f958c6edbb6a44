#pragma once

#include <string_view>
#include <vector>

namespace macrobench {

/// The parts of the text between separators, empty ones included: one at least.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Without white space at its beginning and its end.
std::string_view trim(std::string_view text);

}  // namespace macrobench
