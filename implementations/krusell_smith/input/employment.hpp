#pragma once

// How employment is drawn, for 128 agents at once: once for the host, which stores its bits, and
// for a device that draws them while it needs them.

#include <algorithm>
#include <cstdint>

#include "implementations/numerics/methods/philox.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith {

inline constexpr int agents_in_group = 128;

/// What the counters of the generator are for.
enum Purpose : std::uint32_t { employment_shocks, aggregate_shocks };

/// An agent's chance of unemployment in one period, by its last employment, in units of 2^-64.
struct UnemploymentChances {
  std::uint64_t if_unemployed, if_employed;
};

/// Who is employed, the first agent in the highest bit of the first word.
using Employment = numerics::Random128;

/// Of the group's agents in this period, given their employment before; of `agents` of them, and
/// the bits of others are 0. All agents' uniform numbers grow by one bit at a time, each until it
/// differs from its probability: about eight draws of 128 bits in all, instead of 128 numbers.
MACROBENCH_HOST_DEVICE inline Employment draw_employment(const Employment& before,
                                                         const UnemploymentChances& chances,
                                                         std::uint32_t group, std::uint32_t period,
                                                         int agents, std::uint64_t seed) {
  Employment working{{~0U, ~0U, ~0U, ~0U}};
  Employment open = working;
  for (std::uint32_t bit = 0; bit < 64; ++bit) {
    const std::uint32_t if_unemployed = (chances.if_unemployed >> (63 - bit) & 1) != 0 ? ~0U : 0U;
    const std::uint32_t if_employed = (chances.if_employed >> (63 - bit) & 1) != 0 ? ~0U : 0U;
    const numerics::Random128 uniform =
        numerics::philox({{group, period, bit, employment_shocks}}, seed);
    std::uint32_t any = 0;
    for (int w = 0; w < 4; ++w) {
      const std::uint32_t was = before.word[w];
      const std::uint32_t chance = (was & if_employed) | (~was & if_unemployed);
      working.word[w] &= ~(open.word[w] & chance & ~uniform.word[w]);
      open.word[w] &= ~(chance ^ uniform.word[w]);
      any |= open.word[w];
    }
    if (any == 0) break;
  }
  for (int w = 0; w < 4; ++w) {
    const int beyond = 32 * (w + 1) - agents;  // of the word's bits
    if (beyond > 0) working.word[w] &= beyond >= 32 ? 0U : ~0U << beyond;
  }
  return working;
}

}  // namespace macrobench::krusell_smith
