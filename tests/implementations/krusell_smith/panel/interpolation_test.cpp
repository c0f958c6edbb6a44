// The panel's interpolations, certified by another code, and apart from each other.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/implementations/every_implementation.hpp"

namespace macrobench {
namespace {

Outcome panel(const std::string& interpolation, const Parameters& more = {}) {
  Parameters given{{"N", 1'001},
                   {"T", 150},
                   {"policy", "egm"},
                   {"stage", "panel"},
                   {"panel_interpolation", interpolation}};
  for (const auto& [name, value] : more) given.set(name, value);
  const Case which = Registry::global().make_case("krusell_smith/frontier", given, 2);
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
}

TEST(PanelInterpolation, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const std::string interpolation : {"linear", "spline"}) {
    std::uint64_t first = 0;
    for (const std::int64_t threads : {1, 3}) {
      std::uint64_t bits = 0;
      solve(Registry::global().make_case("krusell_smith/frontier",
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
  EXPECT_FALSE(has(Registry::global().implementation("krusell_smith/cpu"), "panel_interpolation"));
}

}  // namespace
}  // namespace macrobench
