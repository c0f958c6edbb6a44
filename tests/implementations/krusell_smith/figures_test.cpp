#include "implementations/krusell_smith/figures.hpp"

#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

Problem small() {
  Problem problem;
  problem.grids.n_k = 60;
  problem.policy = "egm";
  return problem;
}

TEST(Figures, ShowSavingOverTheGrid) {
  const Problem problem = small();
  const Curves curves = saving_surfaces(problem);
  EXPECT_THAT(curves.columns, ElementsAre("k", "K", "bad_unemployed", "bad_employed",
                                          "good_unemployed", "good_employed"));
  ASSERT_EQ(curves.rows.size(), 240U);
  EXPECT_EQ(curves.rows[61][0], problem.grids.k(1));
  EXPECT_EQ(curves.rows[61][1], problem.grids.K(1));
}

TEST(Figures, ShowThatTheUnemployedDissaveAndTheRichDoSoMoreInBadTimes) {
  const Curves poor = saving_at_K_39(small(), 10, 50, 81);
  ASSERT_EQ(poor.rows.size(), 81U);
  EXPECT_EQ(poor.rows.front()[0], 10);
  EXPECT_EQ(poor.rows.back()[0], 50);
  for (const std::vector<double>& row : poor.rows) {
    EXPECT_LT(row[1], -1);
    EXPECT_GT(row[2], 0);
    EXPECT_LT(row[3], -1);
    EXPECT_GT(row[4], 0);
  }
  const Curves rich = saving_at_K_39(small(), 100, 800, 141);
  ASSERT_EQ(rich.rows.size(), 141U);
  for (const std::vector<double>& row : rich.rows) {
    EXPECT_LT(row[1], row[3]);
    EXPECT_LT(row[2], row[4]);
    EXPECT_LT(row[1], row[2]);
  }
}

TEST(Figures, AgreeAtAnyGridThatIsFineEnough) {
  Problem fine = small();
  fine.grids.n_k = 120;
  fine.grids.n_K = 8;
  const Curves coarse_curves = saving_at_K_39(small(), 10, 50, 41);
  const Curves fine_curves = saving_at_K_39(fine, 10, 50, 41);
  for (std::size_t n = 0; n < 41; ++n) {
    for (std::size_t s = 1; s <= 4; ++s) {
      EXPECT_NEAR(coarse_curves.rows[n][s], fine_curves.rows[n][s], 0.01);
    }
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
