#include "harness/text/left_by_git.hpp"

#include <cstddef>

#include "harness/text/strings.hpp"

namespace macrobench {

bool is_lfs_pointer(std::string_view text) {
  return text.starts_with("version https://git-lfs.github.com/");
}

bool is_conflict_mark(std::string_view line) {
  constexpr std::size_t length = 7;  // then a space or nothing
  constexpr std::string_view signs = "<|=>";
  if (line.size() < length || signs.find(line.front()) == signs.npos) return false;
  const std::size_t end = line.find_first_not_of(line.front());
  return end == line.npos ? trim(line).size() == length
                          : end == length && (line[end] == ' ' || line[end] == '\r');
}

std::string_view left_by_git(std::string_view line) {
  if (is_lfs_pointer(line)) return ": a pointer of Git LFS, whose file git lfs pull fetches";
  return is_conflict_mark(line) ? ": a conflict that git left" : "";
}

}  // namespace macrobench
