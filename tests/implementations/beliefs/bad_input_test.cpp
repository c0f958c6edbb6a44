#include <string>

#include "harness/model/registry.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

std::string complaint(const Parameters& given) {
  return complaint_of([&] { return Registry::global().make_case("beliefs/serial", given, 1); });
}

TEST(BadInput, OfBeliefsIsSaidInOneSentence) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_THAT(complaint({{"mu_1", 0.7}}),
              AllOf(HasSubstr("mu_1 = 0.7 and mu_2 = 0.2"), HasSubstr("must add up to 1")));
  EXPECT_EQ(complaint({{"mu_1", 0.7}, {"mu_2", 0.3}}), "");
  EXPECT_THAT(complaint({{"mu_1", 1.2}, {"mu_2", -0.2}}), HasSubstr("mu_1 = 1.2"));
  for (const char* name : {"pi_hh", "pi_ll", "believed_pi_hh", "believed_pi_ll"}) {
    for (const double value : {-0.1, 0.0, 1.0, 1.1}) {
      EXPECT_THAT(complaint({{name, value}}),
                  AllOf(HasSubstr(std::string(name) + " = "), HasSubstr("above 0 and below 1")));
    }
  }
  for (const char* name : {"gamma_1", "gamma_2"}) {
    EXPECT_THAT(complaint({{name, 0.0}}), HasSubstr(std::string(name) + " = 0"));
    EXPECT_THAT(complaint({{name, -2.0}}), HasSubstr("above 0"));
  }
  for (const char* name : {"beta_1", "beta_2"}) {
    EXPECT_THAT(complaint({{name, 0.0}}), HasSubstr("above 0 and at most 1"));
    EXPECT_THAT(complaint({{name, 1.01}}), HasSubstr("above 0 and at most 1"));
    EXPECT_EQ(complaint({{name, 1.0}}), "");
  }
  EXPECT_THAT(complaint({{"C0", 0.0}}), HasSubstr("C0 = 0"));
  EXPECT_THAT(complaint({{"newton_tolerance", 0.0}}), HasSubstr("newton_tolerance = 0"));
  EXPECT_THAT(complaint({{"broyden_tolerance", 1.0}}), HasSubstr("broyden_tolerance = 1"));
  EXPECT_THAT(complaint({{"first_c2", 5.0}}), HasSubstr("must be below 1 / mu_2 = 5"));
  EXPECT_THAT(complaint({{"growth", "swapped"}}), HasSubstr("growth"));
}

}  // namespace
}  // namespace macrobench
