#pragma once

#include <cstddef>

namespace macrobench::numerics {

/// Where share `index` of `count` elements begins if `shares` divide them; that of `shares` is
/// their end. The shares differ by one element at most.
constexpr std::size_t begin_of_share(std::size_t count, std::size_t shares, std::size_t index) {
  return count / shares * index + count % shares * index / shares;
}

}  // namespace macrobench::numerics
