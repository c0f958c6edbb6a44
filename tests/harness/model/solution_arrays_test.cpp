// The visitors of a solution's arrays, on a solution that has an array of each kind.

#include "harness/model/solution_arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/model/wrong_size.hpp"

namespace macrobench {
namespace {

struct Problem {
  std::size_t rows = 2, columns = 3;
};

struct Pair {
  using Number = double;
  double a = 1, b = 2;
};

struct Count {
  double largest = 7;
  std::int32_t number = 8;
  std::int32_t other = 9;
};

struct Solution {
  std::vector<float> V;
  std::vector<std::int32_t> policy;
  std::vector<std::uint8_t> steps;
  std::vector<Pair> pairs;
  std::vector<Count> counts;
  std::vector<double> none{1};
  Pair pair;
  double law[2] = {0, 0};
  double difference = 0;
  std::int64_t iterations = 0;
  bool converged = false;

  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    visit("V", self.V, {{"row", problem.rows}, {"column", problem.columns}});
    visit("policy", self.policy, {{"row", problem.rows}, {"column", problem.columns}});
    visit("steps", self.steps, {{"row", problem.rows}});
    visit("pairs", self.pairs, {{"row", problem.rows}});
    visit("counts", self.counts, {{"row", problem.rows}});
    visit("none", self.none, {{"row", 0}, {"column", problem.columns}});
    visit("pair", self.pair);
    visit("law", self.law);
    visit("difference", self.difference);
    visit("iterations", self.iterations);
    visit("converged", self.converged);
  }
};

Solution poisoned() {
  Solution solution;
  solution.V = {1, 2};
  solution.iterations = 5;
  solution.converged = true;
  fill_with_poison(Problem{}, solution);
  return solution;
}

TEST(SolutionArrays, ArePoisonedInFullSize) {
  const Solution solution = poisoned();
  const auto is_nan = [](const auto& number) { return std::isnan(number); };
  EXPECT_EQ(solution.V.size(), 6U);
  EXPECT_TRUE(std::ranges::all_of(solution.V, is_nan));
  EXPECT_EQ(solution.policy, std::vector<std::int32_t>(6, -1));
  EXPECT_EQ(solution.steps, std::vector<std::uint8_t>(2, 0));
  EXPECT_EQ(solution.pairs.size(), 2U);
  EXPECT_TRUE(std::ranges::all_of(solution.pairs, is_nan, &Pair::a));
  EXPECT_TRUE(std::ranges::all_of(solution.pairs, is_nan, &Pair::b));
  EXPECT_EQ(solution.counts.size(), 2U);
  EXPECT_TRUE(solution.none.empty());
  EXPECT_TRUE(is_nan(solution.pair.a) && is_nan(solution.pair.b));
  EXPECT_TRUE(std::ranges::all_of(solution.law, is_nan));
  EXPECT_TRUE(is_nan(solution.difference));
  // What is not only numbers of one type, and what is counted up, begins as it is declared.
  EXPECT_EQ(solution.counts[1].largest, 7);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_FALSE(solution.converged);
}

TEST(SolutionArrays, EachChangesTheHash) {
  std::set<std::string> digests;
  const auto hash_with = [&](const std::function<void(Solution&)>& change) {
    Solution solution = poisoned();
    change(solution);
    digests.insert(sha256_of(Problem{}, solution));
    return hash_of(Problem{}, solution);
  };
  std::vector<std::uint64_t> hashes{hash_with([](Solution&) {})};
  EXPECT_EQ(hash_with([](Solution&) {}), hashes.front());
  for (const std::function<void(Solution&)>& change :
       {std::function<void(Solution&)>([](Solution& s) { s.V[5] = 1; }),
        {[](Solution& s) { s.policy[0] = 1; }},
        {[](Solution& s) { s.steps[1] = 1; }},
        {[](Solution& s) { s.pairs[1].b = 1; }},
        {[](Solution& s) { s.counts[0].other = 1; }},
        {[](Solution& s) { s.none = {1}; }},
        {[](Solution& s) { s.pair.a = 1; }},
        {[](Solution& s) { s.law[1] = 1; }},
        {[](Solution& s) { s.difference = 1; }},
        {[](Solution& s) { s.iterations = 1; }},
        {[](Solution& s) { s.converged = true; }}}) {
    hashes.push_back(hash_with(change));
  }
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
  EXPECT_EQ(digests.size(), hashes.size());
}

TEST(SolutionArrays, HaveTheSizesOfTheirShapes) {
  Solution solution = poisoned();
  EXPECT_EQ(wrong_size(Problem{}, solution), "");
  solution.policy.pop_back();
  solution.none = {1, 2};
  EXPECT_EQ(wrong_size(Problem{}, solution),
            "the solution has the wrong size: policy has 5 numbers, where 6 are asked for");
  fill_with_poison(Problem{}, solution);
  EXPECT_EQ(wrong_size(Problem{.rows = 2, .columns = 4}, solution),
            "the solution has the wrong size: V has 6 numbers, where 8 are asked for");
}

}  // namespace
}  // namespace macrobench
