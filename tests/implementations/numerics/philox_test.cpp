#include "implementations/numerics/methods/philox.hpp"

#include <gtest/gtest.h>

#include <array>

namespace macrobench::numerics {
namespace {

TEST(Philox, GivesThePublishedVectors) {
  struct Vector {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> draw;
  };
  // Random123's known answers of philox4x32-10.
  const std::array<Vector, 3> vectors = {{
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  }};
  for (const Vector& v : vectors) {
    const auto [c0, c1, c2, c3] = v.counter;
    const Random128 draw = philox({{c0, c1, c2, c3}}, std::uint64_t{v.key[1]} << 32 | v.key[0]);
    for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(draw.word[w], v.draw[w]);
  }
}

}  // namespace
}  // namespace macrobench::numerics
