#include "harness/run/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "harness/files/digest.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"

namespace macrobench {

namespace {

/// A whole number from 1 on; 0 if the text is none.
int number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::max(number, 0) : 0;
}

/// The number of the part, from 1, that a name belongs to.
int part_of(const std::string& name, int parts) {
  constexpr std::size_t digits = 15;
  const auto hash = std::stoull(sha256(name).substr(0, digits), nullptr, 16);
  return static_cast<int>(hash % static_cast<unsigned long long>(parts)) + 1;
}

}  // namespace

Part part_from(const std::string& text) {
  const std::string_view all = text;
  const std::size_t slash = std::min(all.find('/'), all.size());
  const Part part{number_in(all.substr(0, slash)),
                  number_in(all.substr(std::min(slash + 1, all.size())))};
  if (part.number >= 1 && part.number <= part.count && part.count <= most_parts) return part;
  throw UsageError(
      "--part {}: it must name one of at most {} parts, as 3/8 does, the third of eight", text,
      with_separators(most_parts));
}

std::string to_string(const Part& part) {
  return fmt::format("{}/{}", part.number, part.count);
}

std::string folder_of(const Part& part) {
  return fmt::format("{}_of_{}", part.number, part.count);
}

std::vector<Case> cases_of_part(std::vector<Case> cases,
                                const std::map<std::string, CaseHint>& hints, const Part& part) {
  std::erase_if(cases, [&](const Case& which) {
    const std::string key = which.key();
    const auto hint = hints.find(key);
    const auto group = hint == hints.end() ? std::nullopt : hint->second.group;
    return part_of(group.value_or(key), part.count) != part.number;
  });
  return cases;
}

}  // namespace macrobench
