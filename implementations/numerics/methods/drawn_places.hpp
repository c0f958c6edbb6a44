#pragma once

// Where a certificate looks if it does not look everywhere.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace macrobench::numerics {

/// As many as miss all wrong places with a chance of 1% if a ten-thousandth of a result's are
/// wrong: log .01 / log(1 - 1e-4).
inline constexpr std::size_t drawn_places = 46'050;

/// The largest share of the places that may be wrong while as many drawn ones miss them all with a
/// chance of 1%.
inline double unseen_share(std::size_t drawn) {
  return 1 - std::pow(.01, 1 / static_cast<double>(drawn));
}

/// A place from each of `wanted` equal stretches of the places 0 .. count - 1, or all.
inline std::vector<std::size_t> drawn_from(std::size_t count, std::size_t wanted,
                                           std::mt19937_64& random) {
  const std::size_t stretches = std::min(count, wanted);
  std::vector<std::size_t> places;
  places.reserve(stretches);
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = count * s / stretches;
    const std::size_t end = count * (s + 1) / stretches;
    places.push_back(begin + random() % (end - begin));
  }
  return places;
}

}  // namespace macrobench::numerics
