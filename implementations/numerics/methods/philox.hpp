#pragma once

// The counter-based generator Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011), "Parallel
// random numbers: as easy as 1, 2, 3". A draw is a function of its counter and the key, so it
// does not depend on who makes it or in which order.

#include <cstdint>

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::numerics {

/// 128 random bits.
struct Random128 {
  std::uint32_t word[4];
};

/// The draw of this counter under this key.
MACROBENCH_HOST_DEVICE inline Random128 philox(Random128 counter, std::uint64_t key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53;
  constexpr std::uint64_t multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9;  // golden ratio
  constexpr std::uint32_t weyl_1 = 0xBB67AE85;  // sqrt(3) - 1
  auto key_0 = static_cast<std::uint32_t>(key);
  auto key_1 = static_cast<std::uint32_t>(key >> 32);
  std::uint32_t* x = counter.word;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = multiplier_0 * x[0];
    const std::uint64_t product_1 = multiplier_1 * x[2];
    x[0] = static_cast<std::uint32_t>(product_1 >> 32) ^ x[1] ^ key_0;
    x[1] = static_cast<std::uint32_t>(product_1);
    x[2] = static_cast<std::uint32_t>(product_0 >> 32) ^ x[3] ^ key_1;
    x[3] = static_cast<std::uint32_t>(product_0);
    key_0 += weyl_0;
    key_1 += weyl_1;
  }
  return counter;
}

}  // namespace macrobench::numerics
