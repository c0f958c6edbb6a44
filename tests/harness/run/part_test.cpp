#include "harness/run/part.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "tests/harness/fake_model.hpp"
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
  for (const char* wrong :
       {"9/8", "0/3", "x", "", "3", "3/", "/8", "-1/8", "1/-8", "1/8/2", "1 /8", "+1/8", "1/0",
        "1/10001", "99999999999/99999999999", "0x1/8", "1.5/8"}) {
    try {
      part_from(wrong);
      ADD_FAILURE() << wrong;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("--part ") + wrong + ":"));
    }
  }
}

TEST(CasesOfPart, EachCaseIsInExactlyOneWithItsGroup) {
  std::vector<Case> cases;
  std::map<std::string, CaseHint> hints;
  for (int size = 1; size <= 120; ++size) {
    cases.push_back(sized(size));
    if (size % 2 == 0) hints[cases.back().key()].group = "group " + std::to_string(size % 7);
  }
  std::map<std::string, int> part_of;
  std::map<std::string, std::set<int>> parts_of_group;
  for (int part = 1; part <= 8; ++part) {
    const std::vector<Case> its = cases_of_part(cases, hints, {part, 8});
    EXPECT_FALSE(its.empty()) << part;
    for (const Case& which : its) {
      EXPECT_TRUE(part_of.emplace(which.key(), part).second) << which.key();
      if (const auto hint = hints.find(which.key()); hint != hints.end()) {
        parts_of_group[hint->second.group.value()].insert(part);
      }
    }
  }
  EXPECT_EQ(part_of.size(), cases.size());
  EXPECT_EQ(parts_of_group.size(), 7u);
  for (const auto& [group, parts] : parts_of_group) EXPECT_EQ(parts.size(), 1u) << group;
}

TEST(CasesOfPart, APartDependsOnNoOtherCase) {
  // Parts that were planned by different builds, on different days, agree.
  std::vector<Case> cases;
  for (int size = 1; size <= 40; ++size) cases.push_back(sized(size));
  const auto keys = [](const std::vector<Case>& its) {
    return each(its, [](const Case& which) { return which.key(); });
  };
  const std::vector<std::string> all = keys(cases_of_part(cases, {}, {2, 5}));
  for (const Case& which : cases) {
    const bool is_in = !cases_of_part({which}, {}, {2, 5}).empty();
    EXPECT_EQ(is_in, std::ranges::count(all, which.key()) == 1) << which.key();
  }
  EXPECT_THAT(keys(cases_of_part(cases, {}, {3, 20})),
              ElementsAre("fake/plain size=24", "fake/plain size=35"));
}

}  // namespace
}  // namespace macrobench
