// The defaults of `frontier` and `frontier_cuda`, which are not the model's.

#include <gtest/gtest.h>

#include <string>

#include "harness/model/registry.hpp"
#include "harness/numbers/axis_role.hpp"
#include "tests/executable.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

using ::testing::ContainsRegex;

const Model& model() {
  return Registry::global().model("krusell_smith");
}

Case frontier(const Parameters& given = {}) {
  return Registry::global().make_case("krusell_smith/frontier", given, 1);
}

TEST(OwnDefaults, OfTheFrontierAreTheFastAndAccurateWay) {
  EXPECT_EQ(frontier().key(),
            "krusell_smith/frontier N=10000 T=1000 nk=100 nK=4 policy=egm "
            "policy_interpolation=spline real=double law_update=quasi_newton reuse_tolerance=1");
  EXPECT_EQ(frontier().parameters.name("panel_interpolation"), "catmull_rom");
  // In this build or not.
  const Parameters on_gpu = model().with_own_defaults("frontier_cuda", {});
  EXPECT_EQ(on_gpu,
            (Parameters{
                {"policy", "egm_cuda"}, {"law_update", "quasi_newton"}, {"reuse_tolerance", 1.0}}));
}

TEST(OwnDefaults, OfOthersAreThePublishedWay) {
  for (const char* name : {"cpu", "histogram"}) {
    const Case which = Registry::global().make_case(std::string("krusell_smith/") + name, {}, 1);
    EXPECT_EQ(which.parameters.name("policy"), "euler") << name;
    EXPECT_EQ(which.parameters.real("reuse_tolerance"), 1e-6) << name;
    EXPECT_TRUE(model().with_own_defaults(name, {}).empty()) << name;
  }
}

TEST(OwnDefaults, LeaveThePublishedWayItsKey) {
  EXPECT_EQ(frontier({{"policy", "euler"}, {"law_update", "relaxation"}, {"reuse_tolerance", 1e-6}})
                .key(),
            "krusell_smith/frontier N=10000 T=1000 nk=100 nK=4 policy=euler "
            "policy_interpolation=spline real=double");
}

TEST(OwnDefaults, AreListed) {
  EXPECT_THAT(macrobench("list krusell_smith/frontier").output,
              AllOf(ContainsRegex("--law_update +quasi_newton "),
                    ContainsRegex("--reuse_tolerance +1 "), HasSubstr("the given cross-section")));
  EXPECT_THAT(macrobench("list krusell_smith/cpu").output,
              ContainsRegex("--reuse_tolerance +1e-06 "));
  const nlohmann::json listed = json_of("list krusell_smith/frontier --json");
  EXPECT_EQ(listed.at("own_defaults"),
            (nlohmann::json{
                {"policy", "egm"}, {"law_update", "quasi_newton"}, {"reuse_tolerance", 1.0}}));
}

/// Where a panel begins decides how the law is found, not how exactly.
TEST(OwnDefaults, AreMethods) {
  for (const char* axis : {"policy", "law_update", "reuse_tolerance"}) {
    EXPECT_EQ(role_of(find_axis(model().axes, axis), model()), Role::method) << axis;
  }
  EXPECT_EQ(role_of(find_axis(model().axes, "tolerance"), model()), Role::tolerance);
}

TEST(OwnDefaults, FindTheLawOfThePublishedLoopFromTheGivenCrossSection) {
  const Parameters small = {{"N", 2'304}, {"T", 200}, {"nk", 40}, {"accuracy_periods", 0}};
  const Outcome own = solve(frontier(small));
  ASSERT_TRUE(own.valid) << own.why;
  Parameters given = small;
  given.set("reuse_tolerance", 1.0);
  const Outcome published = solve(Registry::global().make_case("krusell_smith/cpu", given, 1));
  ASSERT_TRUE(published.valid) << published.why;
  for (const char* figure : {"b0_bad", "b1_bad", "b0_good", "b1_good"}) {
    EXPECT_NEAR(own.figures.at(figure), published.figures.at(figure), 1e-5) << figure;
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
