#include "implementations/krusell_smith/certificate/population.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith::certificate {
namespace {

/// Households that keep .9 of what they have, whatever K is.
Equilibrium keeps_nine_tenths(const Problem& problem) {
  Equilibrium equilibrium;
  equilibrium.policy = first_policy(problem.grids);
  return equilibrium;
}

double sum_of(const std::vector<double>& mass) {
  return std::accumulate(mass.begin(), mass.end(), 0.0);
}

TEST(Population, KeepsItsMassAndItsMean) {
  const Problem problem;
  Population population(problem, std::vector<double>{36, 40, 44}, std::vector<int>(3, employed));
  population.advance(keeps_nine_tenths(problem), bad, good, 40);
  EXPECT_NEAR(sum_of(population.mass()), 1, 1e-14);
  EXPECT_NEAR(population.mean(), 36, .01) << "the points are some way apart";
}

TEST(Population, LeavesOutPointsWhereNobodyIs) {
  const Problem problem;
  const auto points = static_cast<std::size_t>(problem.histogram_points);
  std::vector<double> mass(2 * points, 0);
  mass[points / 3] = 1;
  mass[points - 1] = 1e-31;
  mass[points - 2] = 1e-29;
  Population population(problem, mass);
  population.advance(keeps_nine_tenths(problem), bad, good, 40);
  EXPECT_NEAR(population.share_above(200), 1e-29, 1e-32);
}

}  // namespace
}  // namespace macrobench::krusell_smith::certificate
