#include "harness/model/scrutiny.hpp"

#include <gtest/gtest.h>

namespace macrobench {
namespace {

TEST(Scrutiny, DrawsByTheBitsAndTheResult) {
  const std::string draw = new_draw();
  EXPECT_EQ(Scrutiny(false, draw).random(7)(), Scrutiny(false, draw).random(7)());
  EXPECT_NE(Scrutiny(false, draw).random(7)(), Scrutiny(false, draw).random(8)());
  EXPECT_NE(Scrutiny(false, draw).random(7)(), Scrutiny(false, new_draw()).random(7)());
}

TEST(Scrutiny, HasNewBitsEachTime) {
  EXPECT_TRUE(is_draw(new_draw()));
  EXPECT_NE(new_draw(), new_draw());
  EXPECT_FALSE(is_draw(""));
  EXPECT_FALSE(is_draw(std::string(32, 'g')));
  EXPECT_FALSE(is_draw(std::string(33, '0')));
}

}  // namespace
}  // namespace macrobench
