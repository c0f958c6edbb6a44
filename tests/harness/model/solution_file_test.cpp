// Stored solutions: every bit comes back, and no text can do more than be refused.

#include "harness/model/solution_file.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

struct Problem {};

struct Arrays {
  std::vector<double> V{1.5, -0.0, std::numeric_limits<double>::denorm_min()};
  std::vector<std::int32_t> policy{3, -1};
  std::vector<float> nothing;
  int iterations = 12;
  bool converged = true;

  template <class Self, class Visit>
  static void each_array(const Problem& /*problem*/, Self& self, Visit& visit) {
    visit("V", self.V);
    visit("policy", self.policy);
    visit("nothing", self.nothing);
    visit("iterations", self.iterations);
    visit("converged", self.converged);
  }
  bool operator==(const Arrays&) const = default;
};

std::string text_of(const Arrays& arrays, const std::string& key = "a/case n=1") {
  return stored_text(Problem{}, arrays, key);
}

Arrays read(const std::string& text) {
  Arrays arrays{{}, {}, {1}, 0, false};
  restore(Problem{}, arrays, text, "a/case n=1");
  return arrays;
}

std::string complaint_about(const std::string& text) {
  return complaint_of([&] { return read(text); });
}

TEST(SolutionFile, ComesBackBitForBit) {
  const Arrays arrays;
  const Arrays again = read(text_of(arrays));
  EXPECT_EQ(again, arrays);
  EXPECT_TRUE(std::signbit(again.V[1]));
}

TEST(SolutionFile, IsOfOneCaseAndOneSchema) {
  EXPECT_EQ(complaint_about(text_of({}, "another/case")), "the stored solution is of another case");
  EXPECT_THAT(complaint_about("{\"what\":\"macrobench solution\",\"schema\":2}\n"),
              HasSubstr("another version"));
  EXPECT_THAT(complaint_about("{\"what\":\"a cake\"}\n"), HasSubstr("not a solution"));
  EXPECT_THAT(complaint_about("PK\n"), HasSubstr("not a solution"));
}

TEST(SolutionFile, RefusesEveryTextThatIsCut) {
  const std::string text = text_of({});
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(complaint_about(text.substr(0, length)), "") << length;
  }
  EXPECT_THAT(complaint_about(text + "x"), HasSubstr("more than its arrays"));
}

TEST(SolutionFile, RefusesArraysOfAnotherNameSizeOrNumber) {
  const std::string text = text_of({});
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string other = text;
    return other.replace(other.find(before), before.size(), after);
  };
  EXPECT_THAT(complaint_about(with("V 3 8", "W 3 8")), HasSubstr("lacks its V"));
  EXPECT_THAT(complaint_about(with("V 3 8", "V 6 4")), HasSubstr("lacks its V"));
  EXPECT_THAT(complaint_about(with("V 3 8", "V 99999999999999999999999 8")),
              HasSubstr("breaks off in its V"));
  EXPECT_THAT(complaint_about(with("V 3 8", "V -3 8")), HasSubstr("breaks off in its V"));
  EXPECT_THAT(complaint_about(with("iterations 1 4", "iterations 0 4")),
              HasSubstr("breaks off in its iterations"));
}

}  // namespace
}  // namespace macrobench
