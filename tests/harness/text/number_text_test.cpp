// Numbers as people and other programs write them.

#include "harness/text/number_text.hpp"

#include <optional>
#include <string>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> all;
  TextBuffer buffer(text);
  for (Lines lines(buffer); lines.next();) all.emplace_back(lines.line());
  return all;
}

TEST(WrittenNumber, IsReadAsPeopleAndFortranWriteIt) {
  EXPECT_EQ(written_number("20"), 20);
  EXPECT_EQ(written_number("+20"), 20);
  EXPECT_EQ(written_number("-.5e-3"), -.5e-3);
  EXPECT_EQ(written_number("0.20D+02"), 20);
  EXPECT_EQ(written_number("-0.20d-02"), -.002);
  EXPECT_EQ(written_number("0.123-100"), .123e-100);
  EXPECT_EQ(written_number("-1.5+100"), -1.5e100);
}

TEST(WrittenNumber, IsNothingElse) {
  for (const char* text :
       {"", "+", "-", "+-5", "++5", "1,323", "0x10", "1 2", "nan", "inf", "1e999", "5-100",
        "0.5-10", "1.5e3D2", "D5", "310ms", "1:05.3", "1_000", "-+5"}) {
    EXPECT_EQ(written_number(text), std::nullopt) << text;
  }
}

TEST(NotANumber, NamesTheCharacterThatNobodySees) {
  EXPECT_EQ(not_a_number("5x"), "'5x' is not a number");
  EXPECT_THAT(not_a_number("\u22125"), EndsWith("it has U+2212, a minus sign that is not '-'"));
  EXPECT_THAT(not_a_number("1\u00a0000"), EndsWith("it has U+00A0, a no-break space"));
  EXPECT_THAT(not_a_number("\ufeff5"), EndsWith("it has U+FEFF, a byte order mark"));
  EXPECT_THAT(not_a_number(std::string("5\0", 2)), EndsWith("it has U+0000"));
  EXPECT_THAT(not_a_number("\xFF\xFE"), EndsWith("it has the byte 0xff, which is not UTF-8"));
}

TEST(LinesOfAText, EndInAnyWay) {
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\nb\r\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\rb\r"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\rb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("\n\r\n"), ElementsAre("", ""));
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_THAT(lines_of("\xEF\xBB\xBF"
                       "20\n\xEF\xBB\xBF"
                       "25"),
              ElementsAre("20",
                          "\xEF\xBB\xBF"
                          "25"));
}

TEST(LinesOfAText, SayWhichIsTooLong) {
  TextBuffer buffer("1234\n12345\n1");
  Lines lines(buffer, 4);
  ASSERT_TRUE(lines.next());
  EXPECT_FALSE(lines.is_too_long());
  ASSERT_TRUE(lines.next());
  EXPECT_TRUE(lines.is_too_long());
  EXPECT_EQ(lines.number(), 2);
  ASSERT_TRUE(lines.next());
  EXPECT_FALSE(lines.is_too_long());
  EXPECT_FALSE(lines.next());
}

TEST(DecimalSteps, AreWhatAPersonWrites) {
  EXPECT_THAT(decimal_steps(.1, .3, .1, 100), ElementsAre(.1, .2, .3));
  EXPECT_THAT(decimal_steps(.9, .99, .01, 100),
              ElementsAre(.9, .91, .92, .93, .94, .95, .96, .97, .98, .99));
  EXPECT_THAT(decimal_steps(-.3, .2, .1, 100), ElementsAre(-.3, -.2, -.1, 0, .1, .2));
  EXPECT_THAT(decimal_steps(.3, .1, -.1, 100), ElementsAre(.3, .2, .1));
  EXPECT_THAT(decimal_steps(1e-10, 1.3e-10, 1e-11, 100),
              ElementsAre(1e-10, 1.1e-10, 1.2e-10, 1.3e-10));
  EXPECT_THAT(decimal_steps(1, 1.25, .1, 100), ElementsAre(1, 1.1, 1.2));
  EXPECT_THAT(decimal_steps(100, 300, 100, 100), ElementsAre(100, 200, 300));
  EXPECT_THAT(decimal_steps(5, 5, .1, 100), ElementsAre(5));
  EXPECT_THAT(decimal_steps(1e-20, .5, .1, 100), ElementsAre(1e-20, .1, .2, .3, .4));
}

TEST(DecimalSteps, EndAtAMostAndLeadSomewhere) {
  EXPECT_EQ(decimal_steps(0, 1e9, 1e-9, 100).size(), 101U);
  EXPECT_THAT(decimal_steps(1, 2, -1, 100), ElementsAre());
  EXPECT_THAT(decimal_steps(1, 2, 0, 100), ElementsAre());
  EXPECT_THAT(decimal_steps(1e300, 1e300, 1e-300, 100), ElementsAre(1e300));
}

}  // namespace
}  // namespace macrobench
