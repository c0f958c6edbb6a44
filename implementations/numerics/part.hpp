#pragma once

#include <cstddef>

namespace macrobench::numerics {

/// Where part `index` of `count` elements begins if `parts` divide them; that of `parts` is their
/// end. The parts differ by one element at most.
constexpr std::size_t begin_of_part(std::size_t count, std::size_t parts, std::size_t index) {
  return count / parts * index + count % parts * index / parts;
}

}  // namespace macrobench::numerics
