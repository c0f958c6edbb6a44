#pragma once

// How the agents of a panel are divided among the blocks of a cluster, and summed. The sums do not
// depend on how many blocks there are: a warp adds up a chunk of agents, another one the chunks of
// a share, and every warp the shares, each in a fixed order, and a block has whole shares.

#include <cstdint>

#include "implementations/krusell_smith/input/employment.hpp"
#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::krusell_smith::all_periods {

inline constexpr int lanes = 32;            // of a warp
inline constexpr int most_in_cluster = 16;  // blocks
/// Up to this number of agents a chunk is one row of a warp's lanes, beyond it four rows.
inline constexpr int most_in_rows = most_in_cluster * lanes * lanes;
inline constexpr int rows = agents_in_group / lanes;
inline constexpr int most_in_panel = rows * most_in_rows;

MACROBENCH_HOST_DEVICE constexpr int agents_in_chunk(std::int64_t agents) {
  return agents <= most_in_rows ? lanes : agents_in_group;
}

/// Of at most most_in_panel agents.
struct Shares {
  int chunks;    ///< of all agents
  int of_share;  ///< chunks, at most a warp's lanes
  int count;     ///< at most most_in_cluster

  MACROBENCH_HOST_DEVICE static constexpr Shares of(std::int64_t agents) {
    const auto in_turns = [](std::int64_t all, std::int64_t turn) {
      return static_cast<int>((all + turn - 1) / turn);
    };
    const int groups = in_turns(agents, agents_in_group);
    const int groups_of_share = in_turns(groups, most_in_cluster);
    return {.chunks = in_turns(agents, agents_in_chunk(agents)),
            .of_share = groups_of_share * (agents_in_group / agents_in_chunk(agents)),
            .count = in_turns(groups, groups_of_share)};
  }
  /// Of each of a number of blocks, a power of 2. Together they have at most most_in_cluster; the
  /// last ones can be without agents.
  [[nodiscard]] MACROBENCH_HOST_DEVICE constexpr int of_block(int blocks) const {
    return (count + blocks - 1) / blocks;
  }
};

}  // namespace macrobench::krusell_smith::all_periods
