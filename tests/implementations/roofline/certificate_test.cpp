#include <string>
#include <vector>

#include "harness/model/registry.hpp"
#include "tests/matchers.hpp"

namespace macrobench::roofline {
namespace {

TEST(RooflineModel, DeclaresWhatItMovesAndComputes) {
  const Registry& registry = Registry::global();
  const Parameters copied =
      registry.make_case("roofline/cpu", {{"n", 8192}, {"passes", 3}, {"real", "single"}}, 1)
          .parameters;
  const Floor copy = registry.model("roofline").floor_of("cpu", copied, {});
  EXPECT_EQ(copy.bytes, 2.0 * 4 * 8192 * 3);
  EXPECT_EQ(copy.stages, std::vector<std::string>{"copy"});
  const Parameters computed =
      registry
          .make_case("roofline/cpu", {{"n", 8192}, {"passes", 3}, {"ceiling", "multiply_add"}}, 1)
          .parameters;
  EXPECT_EQ(registry.model("roofline").floor_of("cpu", computed, {}).operations,
            2.0 * 64 * 3 * 8192);
}

TEST(RooflineModel, RefusesASizeThatIsNoMultiple) {
  EXPECT_THAT(
      complaint_of([&] { return Registry::global().make_case("roofline/cpu", {{"n", 5000}}, 1); }),
      HasSubstr("multiple of 4096; the next is 8192"));
}

}  // namespace
}  // namespace macrobench::roofline
