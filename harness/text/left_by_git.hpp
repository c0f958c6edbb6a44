#pragma once

// What git leaves in a file in place of its content.

#include <string_view>

namespace macrobench {

bool is_lfs_pointer(std::string_view text);
bool is_conflict_mark(std::string_view line);

/// Ends an error about a line that is one of these: ": a conflict that git left"; else empty.
std::string_view left_by_git(std::string_view line);

}  // namespace macrobench
