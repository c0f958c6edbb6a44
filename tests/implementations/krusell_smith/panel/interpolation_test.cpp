// The panel's interpolations, certified by another code, and apart from each other.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "tests/implementations/every_implementation.hpp"

namespace macrobench {
namespace {

Outcome panel(const std::string& interpolation, const Parameters& more = {},
              const std::string& implementation = "frontier") {
  Parameters given{{"N", 1'001},
                   {"T", 150},
                   {"policy", "egm"},
                   {"stage", "panel"},
                   {"panel_interpolation", interpolation}};
  for (const auto& [name, value] : more) given.set(name, value);
  const Case which = Registry::global().make_case("krusell_smith/" + implementation, given, 2);
  Outcome outcome = solve(which);
  EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
  EXPECT_LT(outcome.figures.at("path_error"), 1e-12) << which.key();
  return outcome;
}

TEST(PanelInterpolation, EachIsItsOwn) {
  std::set<double> means;
  for (const std::string interpolation : {"catmull_rom", "linear", "spline"}) {
    means.insert(panel(interpolation).figures.at("K_mean"));
  }
  EXPECT_EQ(means.size(), 3U);
}

TEST(PanelInterpolation, HoldsOnOtherGrids) {
  for (const std::string interpolation : {"linear", "spline"}) {
    panel(interpolation, {{"theta", 3.0}});
    panel(interpolation, {{"nk", 64}, {"nK", 7}});
  }
  panel("linear", {{"theta", 3.0}}, "cpu");
  panel("linear", {{"nk", 64}, {"nK", 7}}, "cpu");
}

TEST(PanelInterpolation, ByLinesIsThePublishedPanelsToo) {
  for (const std::string moves : {"all", "all_but_last"}) {
    const Outcome frontier = panel("linear", {{"moves", moves}});
    const Outcome published = panel("linear", {{"moves", moves}}, "cpu");
    for (const char* figure : {"K_mean", "wealth_mean", "wealth_sd", "wealth_p95"}) {
      EXPECT_NEAR(published.figures.at(figure) / frontier.figures.at(figure), 1, 1e-12) << figure;
    }
  }
}

TEST(PanelInterpolation, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const auto& [implementation, interpolation] :
       {std::pair{"frontier", "linear"}, {"frontier", "spline"}, {"cpu", "linear"}}) {
    std::string first;
    for (const std::int64_t threads : {1, 3}) {
      std::string bits;
      solve(Registry::global().make_case(std::string("krusell_smith/") + implementation,
                                         {{"N", 2'000},
                                          {"T", 120},
                                          {"policy", "egm"},
                                          {"stage", "panel"},
                                          {"threads", threads},
                                          {"panel_interpolation", interpolation}},
                                         4),
            &bits);
      if (threads == 1) first = bits;
      EXPECT_EQ(bits, first);
    }
  }
}

TEST(PanelInterpolation, OnlyWhoHasTheAxisTakesIt) {
  EXPECT_TRUE(
      has(Registry::global().implementation("krusell_smith/frontier"), "panel_interpolation"));
  EXPECT_THROW(static_cast<void>(Registry::global().make_case(
                   "krusell_smith/cpu", {{"panel_interpolation", "spline"}}, 1)),
               UsageError);
}

}  // namespace
}  // namespace macrobench
