// The frontiers are general in every parameter: where the fast way's assumptions fail they must
// know, and fall back. Every state is certified.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/narrower_vectors.hpp"

namespace macrobench {
namespace {

Case make_case(const std::string& id, const Parameters& given) {
  return Registry::global().make_case(id, given, available_cores());
}

Outcome solve(const std::string& id, const Parameters& given) {
  const Case which = make_case(id, given);
  Outcome outcome = solve(which);
  EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
  return outcome;
}

std::string way(const Parameters& given) {
  return solve("rbc/frontier", given).notes.at("way");
}

TEST(Frontier, NamesTheWayItTook) {
  const std::int64_t nk = 1000;
  EXPECT_EQ(way({{"nk", nk}}), "continuous");
  EXPECT_EQ(way({{"nk", 17}}), "exhaustive") << "small grids need nothing clever";
  // The chain moves so far in one period that the policy meets the edge of the grid.
  EXPECT_EQ(way({{"nk", nk}, {"rho", 0.9}}), "coarse_to_fine");
  EXPECT_EQ(way({{"nk", nk}, {"rho", -0.5}}), "coarse_to_fine");
  EXPECT_EQ(way({{"nk", nk}, {"nz", 7}, {"gamma", 5.0}}), "coarse_to_fine");
}

TEST(Frontier, HoldsAtOddSizesAndTightTolerances) {
  for (const std::int64_t nk : {2, 3, 5, 31, 257, 1023, 1025, 3001}) {
    for (const double tolerance : {1.6e-10, 1e-12}) {
      solve("rbc/frontier", {{"nk", nk}, {"tolerance", tolerance}});
    }
    solve("rbc/frontier", {{"nk", nk}, {"real", "single"}});
  }
}

TEST(Frontier, HoldsWhereItsAssumptionsDoNot) {
  for (const std::int64_t nk : {40, 700}) {
    for (const double rho : {-0.9, 0.0, 0.5, 0.99}) {
      for (const double gamma : {0.5, 1.0, 5.0}) {
        solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"gamma", gamma}});
      }
      solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"beta", 0.5}, {"delta", 1.0}});
      solve("rbc/frontier", {{"nk", nk}, {"rho", rho}, {"grid_low", 0.999}, {"grid_high", 1.001}});
      solve("rbc/frontier",
            {{"nk", nk}, {"rho", rho}, {"grid_low", 0.4}, {"grid_high", 2.5}, {"delta", 0.6}});
    }
  }
}

TEST(Frontier, HoldsWhereOutputIsFarAboveTheGrid) {
  // Capital is about alpha, so that output is 1e11 steps of the grid and more above it.
  for (const double alpha : {1e-9, 1e-10, 1e-12}) {
    for (const std::int64_t nk : {16, 300}) {
      solve("rbc/frontier", {{"nk", nk}, {"alpha", alpha}});
    }
  }
}

TEST(Frontier, HoldsWhereItRoundsAndWhereItDoesNot) {
  // From 131,072 points on the continuous problem's value is within the tolerance by itself.
  EXPECT_LE(solve("rbc/frontier", {{"nk", std::int64_t{1} << 15}}).iterations, 5);
  EXPECT_LE(solve("rbc/frontier", {{"nk", std::int64_t{1} << 18}}).iterations, 2);
}

TEST(Frontier, VisitsNoMoreStatesThanOnALargerGrid) {
  // Counted, not timed: a busy machine cannot fail it.
  for (const std::string real : {"double", "single"}) {
    std::int64_t before = 0;
    for (const std::int64_t nk :
         {39, 64, 65, 128, 256, 512, 768, 1023, 1024, 2048, 4096, 16384, 65536}) {
      const Outcome outcome = solve("rbc/frontier", {{"nk", nk}, {"real", real}});
      EXPECT_EQ(outcome.notes.at("way"), "continuous") << nk;
      const std::int64_t visits = outcome.iterations * nk;
      EXPECT_GE(visits, before) << nk << ", " << real;
      before = visits;
    }
  }
  // Fewer points are searched exhaustively, sooner than the continuous problem is solved.
  EXPECT_EQ(way({{"nk", 38}}), "exhaustive");
}

TEST(Frontier, GivesTheSameBitsWithVectorsOfAnyWidth) {
  for (const std::int64_t nk : {300, 1001, 5003}) {
    expect_the_bits_of_narrower_vectors(make_case("rbc/frontier", {{"nk", nk}}));
  }
}

/// The seeds of the calibrations to test: MACROBENCH_CALIBRATIONS=0:10000 tests many.
std::pair<std::uint64_t, std::uint64_t> seeds() {
  const char* const asked = std::getenv("MACROBENCH_CALIBRATIONS");
  if (asked == nullptr) return {0, 25};
  std::pair<std::uint64_t, std::uint64_t> range;
  char colon = 0;
  std::istringstream(asked) >> range.first >> colon >> range.second;
  return range;
}

/// Calibrations far from any economy: a tenth of each parameter is at either end of its range.
Parameters extreme(std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  const auto within = [&](double low, double high) {
    const double corner = uniform();
    const double inside = low + (high - low) * uniform();
    return corner < 0.1 ? low : corner < 0.2 ? high : inside;
  };
  const auto log_within = [&](double low, double high) {
    return std::exp(within(std::log(low), std::log(high)));
  };
  Parameters drawn;
  drawn.set("nk", std::int64_t{std::lround(log_within(2, 2000))});
  drawn.set("nz", std::int64_t{std::lround(within(2, 15))});
  drawn.set("beta", within(0.3, 0.999));
  drawn.set("gamma", within(0, 12));
  drawn.set("alpha", within(0.1, 0.7));
  drawn.set("delta", within(0, 1));
  drawn.set("rho", within(-0.5, 0.995));
  drawn.set("sigma", log_within(1e-4, 0.1));
  return drawn;
}

class ExtremeRbc : public EveryImplementation {
 protected:
  ExtremeRbc() : EveryImplementation("rbc") {}

  /// Whether the calibration is a case at all; that it is then solved is expected.
  bool solves(std::uint64_t seed) {
    std::optional<Case> which;
    try {
      which = make(*implementation_, extreme(seed));
    } catch (const UsageError&) {
      return false;  // the grid leaves some state no choice
    }
    const Outcome outcome = solve(*which);
    EXPECT_TRUE(outcome.valid) << "seed " << seed << ", " << which->key() << ": " << outcome.why;
    return true;
  }
};

TEST_P(ExtremeRbc, IsValid) {
  const auto [first, end] = seeds();
  int solved = 0;
  for (std::uint64_t seed = first; seed < end; ++seed) solved += solves(seed) ? 1 : 0;
  EXPECT_GE(solved, static_cast<int>(end - first) * 9 / 10) << "hardly any is refused";
}

TEST_P(ExtremeRbc, IsValidWhereRoundingGoesRoundInACircle) {
  // V is 1e8 to 1e11: sweeps end in circles of two units in its last place.
  for (const std::uint64_t seed : {491, 1078, 3411}) EXPECT_TRUE(solves(seed));
}

std::vector<std::string> frontiers(bool cuda) {
  std::vector<std::string> names = names_of("rbc", cuda);
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("frontier"); });
  return names;
}

FOR_EVERY_IMPLEMENTATION(ExtremeRbc, frontiers);

// Where V is large, rounding moves it by more than the tolerance.
TEST(Frontier, HoldsWhereOnlyRoundingIsLeft) {
  solve("rbc/frontier", {{"nk", 149},
                         {"nz", 5},
                         {"beta", 0.999},
                         {"gamma", 11.616845114616664},
                         {"alpha", 0.7},
                         {"delta", 0.8226676488816805},
                         {"rho", -0.4138012256867359},
                         {"sigma", 0.024748132680525784}});
}

}  // namespace
}  // namespace macrobench
