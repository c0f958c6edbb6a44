#include "harness/text/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// Of a name that is compared; ours are far shorter.
constexpr std::size_t longest = 200;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  name = name.substr(0, longest);
  return std::ranges::min(names, {}, [&](const auto& known) { return edit_distance(name, known); });
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("unknown {} '{}'; there are none", kind, shown(name));
  return fmt::format("unknown {} '{}'; the nearest is '{}' (all of them: {})", kind, shown(name),
                     nearest(name, names), fmt::join(names, ", "));
}

}  // namespace macrobench
