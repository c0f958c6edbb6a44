// Eight agents at a time, or four.

#include "implementations/krusell_smith/frontier/eight_agents.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/narrower_vectors.hpp"

namespace macrobench::krusell_smith {
namespace {

TEST(EightAgents, ChooseTheSameBitsFourAtATime) {
  const Implementation& frontier = Registry::global().implementation("krusell_smith/frontier");
  for (const std::string interpolation : {"catmull_rom", "linear", "spline"}) {
    for (const double theta : {7.0, 3.0}) {
      // The last vector is not full, nor its half.
      for (const std::int64_t N : {203, 206}) {
        expect_the_bits_of_narrower_vectors(
            make(frontier, {{"N", N},
                            {"T", 60},
                            {"nk", 30},
                            {"burn_in", 20},
                            {"theta", theta},
                            {"tolerance", 1e-2},
                            {"accuracy_periods", 0},
                            {"panel_interpolation", interpolation}}));
      }
    }
  }
}

}  // namespace
}  // namespace macrobench::krusell_smith
