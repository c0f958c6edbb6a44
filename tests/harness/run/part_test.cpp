#include "harness/run/part.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>

#include "harness/text/error.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/properties.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

Case sized(std::int64_t size) {
  return fake_case("plain", {{"size", size}});
}

TEST(Part, IsNamedByItsNumberAndTheirCount) {
  EXPECT_EQ(part_from("3/8"), (Part{3, 8}));
  EXPECT_EQ(part_from("1/1"), (Part{1, 1}));
  EXPECT_EQ(to_string(Part{3, 8}), "3/8");
  EXPECT_EQ(folder_of(Part{3, 8}), "3_of_8");
  EXPECT_EQ(part_of_folder("3_of_8"), (Part{3, 8}));
  EXPECT_EQ(part_of_folder("9_of_8"), std::nullopt);
  EXPECT_EQ(part_of_folder("machine"), std::nullopt);
  for (const char* wrong :
       {"9/8", "0/3", "x", "", "3", "3/", "/8", "-1/8", "1/-8", "1/8/2", "1 /8", "+1/8", "1/0",
        "1/10001", "99999999999/99999999999", "0x1/8", "1.5/8"}) {
    try {
      part_from(wrong);
      ADD_FAILURE() << wrong;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("--part ") + wrong + ":"));
      EXPECT_THAT(error.what(), HasSubstr("as 3/8 does, the third of eight"));
    }
  }
}

TEST(Deal, TheLongestGoesToThePartThatHasLeast) {
  EXPECT_THAT(deal({{"a", 3}, {"b", 8}, {"c", 4}, {"d", 2}, {"e", 1}}, 2),
              ElementsAre(2, 1, 2, 2, 1));
  EXPECT_THAT(deal({{"a", 1}, {"b", 1}, {"c", 1}}, 2), ElementsAre(1, 2, 1)) << "ties by key";
  EXPECT_THAT(deal({{"a", 1}, {"b", 1}}, 5), ElementsAre(1, 2)) << "three parts have nothing";
}

TEST(Deal, AGroupCountsAsAWhole) {
  EXPECT_THAT(deal({{"a", 2, 7}, {"b", 3}, {"c", 2, 7}}, 2), ElementsAre(1, 2, 1));
}

RC_GTEST_PROP(DealProperty, IsWholeFairAndTheSameInAnyOrder, ()) {
  const int parts = *rc::gen::inRange(1, 9);
  std::vector<DealtCase> cases;
  const int count = *rc::gen::inRange(0, 60);
  for (int i = 0; i < count; ++i) {
    const int group = *rc::gen::inRange(0, 20);
    cases.push_back({"case " + std::to_string(i), 100 * any_share(),
                     group < 8 ? std::optional(group) : std::nullopt});
  }
  const std::vector<int> dealt = deal(cases, parts);
  RC_ASSERT(dealt.size() == cases.size());
  std::map<int, std::set<int>> parts_of_group;
  std::map<int, double> groups;
  std::vector<double> loads(static_cast<std::size_t>(parts), 0.0);
  double longest = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    RC_ASSERT(dealt[i] >= 1);
    RC_ASSERT(dealt[i] <= parts);
    loads[static_cast<std::size_t>(dealt[i] - 1)] += cases[i].seconds;
    if (cases[i].group) parts_of_group[*cases[i].group].insert(dealt[i]);
    double& its = groups[cases[i].group.value_or(-1 - static_cast<int>(i))];
    its += cases[i].seconds;
    longest = std::max(longest, its);
  }
  for (const auto& [group, its] : parts_of_group) RC_ASSERT(its.size() == 1u);
  const auto [least, most] = std::ranges::minmax(loads);
  RC_ASSERT(most - least <= longest * (1 + 1e-12));

  std::vector<std::size_t> order(cases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
  std::vector<DealtCase> shuffled;
  for (const std::size_t i : order) shuffled.push_back(cases[i]);
  const std::vector<int> again = deal(shuffled, parts);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(again[i] == dealt[order[i]]);
}

TEST(CasesOfPart, EachCaseIsInExactlyOneAndHintsWeighMoreThanWork) {
  std::vector<Case> cases;
  std::map<std::string, CaseHint> hints;
  for (int size = 1; size <= 9; ++size) cases.push_back(sized(size));
  hints[cases[0].key()].seconds = 1000;
  std::map<std::string, int> seen;
  for (int part = 1; part <= 3; ++part) {
    for (const Case& which : cases_of_part(cases, hints, {part, 3})) ++seen[which.key()];
  }
  EXPECT_EQ(seen.size(), cases.size());
  for (const auto& [key, times] : seen) EXPECT_EQ(times, 1) << key;
  hints.clear();
  for (const Case& which : cases) hints[which.key()].seconds = 1;
  hints[cases[4].key()].seconds = 100;
  const std::vector<Case> first = cases_of_part(cases, hints, {1, 2});
  ASSERT_EQ(first.size(), 1u) << "the others together are shorter";
  EXPECT_EQ(first[0].key(), cases[4].key());
}

TEST(CasesOfPart, WorkIsWeighedByWhatIsPublishedOfItsModel) {
  // A unit of work takes 10 s, by the first two; so the third takes as long as 8 of the others.
  std::vector<Case> cases{sized(1), sized(2), sized(40)};
  const std::map<std::string, CaseHint> hints{{cases[0].key(), {.seconds = 10}},
                                              {cases[1].key(), {.seconds = 20}}};
  EXPECT_EQ(cases_of_part(cases, hints, {1, 2}).size(), 1u);
  EXPECT_EQ(cases_of_part(cases, hints, {1, 2})[0].key(), cases[2].key());
}

}  // namespace
}  // namespace macrobench
