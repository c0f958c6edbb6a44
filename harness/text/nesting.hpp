#pragma once

#include <string_view>

namespace macrobench {

/// Throws std::invalid_argument if a JSON text nests deeper than any of ours, so that recursion
/// into its values, one call per level, does not run out of stack.
void check_nesting(std::string_view json);

}  // namespace macrobench
