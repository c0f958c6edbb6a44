#include "implementations/krusell_smith/frontier/shares.hpp"

#include <gtest/gtest.h>

namespace macrobench::krusell_smith::all_periods {
namespace {

TEST(Shares, HaveAllAgentsAndFitAWarpAndACluster) {
  for (int agents = 1; agents <= most_in_panel; agents += agents < 3'000 ? 1 : 997) {
    const Shares shares = Shares::of(agents);
    ASSERT_GE(shares.chunks * agents_in_chunk(agents), agents) << agents;
    ASSERT_LT((shares.chunks - 1) * agents_in_chunk(agents), agents) << agents;
    ASSERT_LE(shares.of_share, lanes) << agents;
    ASSERT_LE(shares.count, most_in_cluster) << agents;
    ASSERT_GE(shares.of_share * shares.count, shares.chunks) << agents;
    ASSERT_LT(shares.of_share * (shares.count - 1), shares.chunks) << "an empty one of " << agents;
    for (const int blocks : {1, 2, 4, 8, 16}) {
      ASSERT_GE(shares.of_block(blocks) * blocks, shares.count) << agents;
      ASSERT_LE(shares.of_block(blocks) * blocks, most_in_cluster) << agents;
    }
  }
}

TEST(Shares, OfTheHighestNumbers) {
  EXPECT_EQ(Shares::of(most_in_rows).of_share, lanes);
  EXPECT_EQ(Shares::of(most_in_panel).of_share, lanes);
  EXPECT_EQ(Shares::of(10'000).of_share, 20);
  EXPECT_EQ(Shares::of(10'000).count, 16);
}

}  // namespace
}  // namespace macrobench::krusell_smith::all_periods
