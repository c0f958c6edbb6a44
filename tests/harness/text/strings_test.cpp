#include "harness/text/strings.hpp"

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

TEST(Split, KeepsEmptyPieces) {
  EXPECT_THAT(split("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split(",a,", ','), ElementsAre("", "a", ""));
}

TEST(Trim, TakesWhiteSpaceAwayAtBothEnds) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(LastLine, IsTheLastThatIsNotBlank) {
  EXPECT_EQ(last_line("one\n two \r\n\n \t\n"), "two");
  EXPECT_EQ(last_line("50%\r100%"), "100%");
  EXPECT_EQ(last_line("only"), "only");
  EXPECT_EQ(last_line(" \n"), "");
}

TEST(Printable, HasNothingThatATerminalWouldObey) {
  EXPECT_EQ(printable("plain, × and “words” in 日本語 🙂"), "plain, × and “words” in 日本語 🙂");
  EXPECT_EQ(printable("a\x1b[31m\r\n\tb\x7f"), "a [31m   b ");
  EXPECT_EQ(printable("a\tb\nc\x1b", "\n\t"), "a\tb\nc ");
  EXPECT_EQ(printable("\u009b31m \u0085 \u202e \u2066 \u2028 \u200f"),
            "\uFFFD31m \uFFFD \uFFFD \uFFFD \uFFFD \uFFFD");
}

TEST(Printable, IsUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\uFFFD31m");
  EXPECT_EQ(printable("\xff\xc3"), "\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xc0\x9b"), "\uFFFD\uFFFD") << "more bytes than it needs";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond the last";
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a b");
}

TEST(Shortened, KeepsTheBeginningAndWholeCharacters) {
  EXPECT_EQ(shortened("12345", 5), "12345");
  EXPECT_EQ(shortened("123456", 5), "12...");
  EXPECT_EQ(shortened("1××××", 6), "1×...") << "not half of one";
  EXPECT_EQ(shortened("123456", 2), "..");
  EXPECT_EQ(shown(std::string(1'000'000, 'x')).size(), 100u);
}

}  // namespace
}  // namespace macrobench
