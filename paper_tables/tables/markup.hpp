#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace macrobench {

/// A table in GitHub's Markdown, aligned in its source too. The first line is the header, the first
/// `left` columns are aligned to the left, the others to the right; lines may be shorter.
std::string markdown_table(std::vector<std::vector<std::string>> lines, std::size_t left);

/// The same for a terminal: no rules, columns three spaces apart, the first of them indented.
std::string text_table(const std::vector<std::vector<std::string>>& lines, std::size_t left);

}  // namespace macrobench
