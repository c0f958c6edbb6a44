#include "harness/text/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

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

/// As it is compared: neither case nor the kind of dash is what a word is wrong in.
std::string plain(std::string_view name) {
  std::string text(name.substr(0, longest));
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::tolower(c));
  });
  return text;
}

/// The nearest one first.
std::vector<std::string> by_distance(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> known;
  const std::string wanted = plain(name);
  for (const std::string& one : names) known.emplace_back(edit_distance(wanted, plain(one)), one);
  std::ranges::stable_sort(known, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> sorted;
  for (auto& [distance, one] : known) sorted.push_back(std::move(one));
  return sorted;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  return names.empty() ? std::string() : by_distance(name, names).front();
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("unknown {} '{}'; there are none", kind, shown(name));
  constexpr std::size_t most = 12;
  std::vector<std::string> known = names;
  std::string rest;
  if (known.size() > most) {
    known = by_distance(name, names);
    rest = fmt::format(" and {} more", known.size() - most / 2);
    known.resize(most / 2);
  }
  return fmt::format("unknown {} '{}'; the nearest is '{}' ({}: {}{})", kind, shown(name),
                     nearest(name, names), rest.empty() ? "all of them" : "the most alike",
                     fmt::join(known, ", "), rest);
}

}  // namespace macrobench
