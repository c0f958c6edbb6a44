#pragma once

#include <string_view>

namespace macrobench {

/// Throws std::invalid_argument where a text of JSON nests deeper than anything of ours, so that
/// what goes down into its values, one call a level, does not run out of stack.
void check_nesting(std::string_view json);

}  // namespace macrobench
