#pragma once

#include <functional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace macrobench {

/// What `make` (a function, or a member) makes of each, in their order. A vector of JSON values is
/// a JSON array wherever JSON is expected.
template <std::ranges::range All, class Make>
auto each(const All& all, Make make) {
  using One = std::ranges::range_reference_t<const All>;
  std::vector<std::decay_t<std::invoke_result_t<Make&, One>>> made;
  for (const auto& one : all) made.push_back(std::invoke(make, one));
  return made;
}

}  // namespace macrobench
