// Two solutions array by array: every kind of array, where the difference is, and in grid points.

#include "paper_tables/fidelity/array_difference.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace choosing {

struct Problem {
  std::size_t rows = 2, columns = 3;
};

std::vector<double> choices_of(const Problem& /*problem*/, std::string_view array) {
  if (array == "policy" || array == "capital") return {0, 1, 3, 7};
  return {};
}

struct Pair {
  using Number = double;
  double a = 1, b = 2;
};
struct Clips {
  using Count = std::int64_t;
  std::int64_t k = 3, K = 4;
};
struct Mixed {
  double difference = 1;
  std::int32_t count = 2, other = 3;
};

template <class Real>
struct Solution {
  std::vector<Real> V = std::vector<Real>(6, 1);
  std::vector<std::int32_t> policy = std::vector<std::int32_t>(6, 1);
  std::vector<Real> capital{0, 1, 2, 3, 5, 7};
  std::vector<Pair> pairs = std::vector<Pair>(2);
  std::vector<Mixed> mixed = std::vector<Mixed>(2);
  std::vector<double> none;
  double R2[2] = {1, 1};
  Clips clips;
  bool converged = true;

  template <class Self, class Visit>
  static void each_array(const Problem& problem, Self& self, Visit& visit) {
    const Shape states{{"Z", problem.rows}, {"K", problem.columns}};
    visit("V", self.V, states);
    visit("policy", self.policy, states);
    visit("capital", self.capital, states);
    visit("pairs", self.pairs, {{"t", 2}});
    visit("mixed", self.mixed, {{"t", 2}});
    visit("none", self.none, {{"t", 0}});
    visit("R2", self.R2);
    visit("clips", self.clips);
    visit("converged", self.converged);
  }
};

}  // namespace choosing

namespace {

using choosing::Problem;
using Double = choosing::Solution<double>;

template <class A, class B>
std::vector<ArrayDifference> between(const A& a, const B& b) {
  return differences(views_of(Problem{}, a), views_of(Problem{}, b));
}

ArrayDifference of(const std::vector<ArrayDifference>& all, std::string_view name) {
  for (const ArrayDifference& one : all) {
    if (one.name == name) return one;
  }
  throw std::logic_error("there is no such array");
}

TEST(ArrayDifference, OfEqualSolutionsIsNone) {
  Double solution;
  solution.V[2] = std::nan("");
  const auto all = between(solution, solution);
  ASSERT_EQ(all.size(), 8U) << "one array has no elements";
  for (const ArrayDifference& one : all) {
    EXPECT_TRUE(one.equal_bits) << one.name;
    EXPECT_TRUE(one.is_within(0)) << one.name;
    EXPECT_EQ(one.numbers.differing, 0U) << one.name;
  }
}

TEST(ArrayDifference, SaysHowMuchAndWhere) {
  Double other;
  other.V[4] = 1.5;
  other.V[1] = 0.75;
  other.pairs[1].b = 5;
  other.R2[1] = 0;
  other.clips.K = 6;
  other.converged = false;
  other.mixed[1].count = 7;
  const auto all = between(Double{}, other);

  const ArrayDifference V = of(all, "V");
  EXPECT_FALSE(V.equal_bits);
  EXPECT_EQ(V.numbers.differing, 2U);
  EXPECT_EQ(V.numbers.largest, 0.5);
  EXPECT_DOUBLE_EQ(V.numbers.mean, 0.75 / 6);
  EXPECT_EQ(V.indices_of(V.numbers.where), "Z 1, K 1");
  EXPECT_EQ(V.a, 1);
  EXPECT_EQ(V.b, 1.5);
  EXPECT_FALSE(V.points.has_value());
  EXPECT_FALSE(V.is_within(0.49));
  EXPECT_TRUE(V.is_within(0.5));

  EXPECT_EQ(of(all, "pairs").indices_of(of(all, "pairs").numbers.where), "t 1, number 1");
  EXPECT_EQ(of(all, "pairs").numbers.largest, 3);
  EXPECT_EQ(of(all, "R2").numbers.largest, 1);
  EXPECT_EQ(of(all, "clips").numbers.largest, 2);
  EXPECT_EQ(of(all, "converged").numbers.largest, 1);
  EXPECT_EQ(of(all, "converged").indices_of(0), "");
  const ArrayDifference mixed = of(all, "mixed");
  EXPECT_FALSE(mixed.has_numbers);
  EXPECT_EQ(mixed.numbers.differing, 1U);
  EXPECT_FALSE(mixed.is_within(1e9));
}

TEST(ArrayDifference, OfChoicesIsInGridPointsToo) {
  Double other;
  other.policy[3] = 3;
  other.capital[3] = 7;  // from 3, the third point, to the last
  other.capital[4] = 6;  // half a point up
  const auto all = between(Double{}, other);
  ASSERT_TRUE(of(all, "policy").points.has_value());
  EXPECT_EQ(of(all, "policy").points->largest, 2);
  const ArrayDifference capital = of(all, "capital");
  EXPECT_EQ(capital.numbers.largest, 4);
  ASSERT_TRUE(capital.points.has_value());
  EXPECT_EQ(capital.points->largest, 1);
  EXPECT_DOUBLE_EQ(capital.points->mean, 1.25 / 6);
  EXPECT_EQ(capital.points->where, 3U);
}

TEST(ArrayDifference, OfWhatIsNotANumberIsInfinite) {
  Double other;
  other.V[5] = std::nan("");
  const ArrayDifference V = of(between(Double{}, other), "V");
  EXPECT_EQ(V.numbers.largest, std::numeric_limits<double>::infinity());
  EXPECT_EQ(V.numbers.differing, 1U);
  EXPECT_FALSE(V.is_within(1e300));
}

TEST(ArrayDifference, IsTakenAcrossPrecisions) {
  choosing::Solution<float> single;
  single.V[0] = 1.25F;
  const auto all = between(Double{}, single);
  EXPECT_EQ(of(all, "V").numbers.largest, 0.25);
  EXPECT_FALSE(of(all, "capital").equal_bits) << "the same numbers, in other bits";
  EXPECT_TRUE(of(all, "capital").is_within(1e-300));
  EXPECT_FALSE(of(all, "capital").is_within(0));
}

TEST(ArrayDifference, RefusesOtherShapesAndWrongSizes) {
  Double larger;
  larger.V.resize(8);
  larger.policy.resize(8);
  larger.capital.resize(8);
  const Problem wider{.rows = 2, .columns = 4};
  EXPECT_THAT(complaint_of([&] {
                return differences(views_of(Problem{}, Double{}), views_of(wider, larger));
              }),
              HasSubstr("V has other shapes: 2 Z x 3 K and 2 Z x 4 K"));
  EXPECT_THAT(complaint_of([&] { return views_of(Problem{}, larger); }),
              HasSubstr("V has 8 elements, and 6 are needed"));
}

}  // namespace
}  // namespace macrobench
