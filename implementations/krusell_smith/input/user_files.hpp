#pragma once

// What users may supply instead of random draws: shocks, aggregate states, wealth. README.md
// describes the formats. All functions throw UsageError with one sentence that says where.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Whether the problem's file of shocks has the size that N and T require, and no bits set beyond
/// N.
void check_shocks(const Problem& problem);

/// Employment, one bit per agent and period, shape T x stride; `stride` is the bytes of a period.
std::vector<std::uint8_t> read_shocks(const Problem& problem, std::size_t stride);

/// Aggregate states, shape T.
std::vector<std::uint8_t> read_aggregate(const Problem& problem);

/// A cross-section: agents, or their distribution by employment.
struct GivenWealth {
  std::vector<double> agents;    ///< shape N; empty for a distribution
  std::vector<double> k;         ///< increasing
  std::vector<double> share[2];  ///< of the unemployed and of the employed at k; each adds up to 1
  double sum_in_file[2] = {1, 1};  ///< of each column of masses before it was scaled to 1
};

GivenWealth read_wealth(const Problem& problem);

/// Whether these can be the wealth of the problem's agents, or the start of a histogram.
void check_for_agents(const Problem& problem, const GivenWealth& wealth);
void check_for_histogram(const Problem& problem, const GivenWealth& wealth);

}  // namespace macrobench::krusell_smith
