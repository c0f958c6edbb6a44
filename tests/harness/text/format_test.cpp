// Numbers and columns, as people read them.

#include "harness/text/format.hpp"

#include <gtest/gtest.h>

#include "harness/text/strings.hpp"

namespace macrobench {
namespace {

TEST(FormatNumber, KeepsThreeOrFourDigits) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(0.5471), "0.547");
  EXPECT_EQ(format_number(0.092), "0.0920");
  EXPECT_EQ(format_number(0.00012345), "0.000123");
  EXPECT_EQ(format_number(0.0000523), "5.23e-5");
  EXPECT_EQ(format_number(1.354), "1.35");
  EXPECT_EQ(format_number(99.96), "100");
  EXPECT_EQ(format_number(999.4), "999");
  EXPECT_EQ(format_number(999.9), "1,000");
  EXPECT_EQ(format_number(19421.9), "19,420");
  EXPECT_EQ(format_number(100312706.6), "100,300,000");
  EXPECT_EQ(format_number(-1234.5), "-1,234");
  EXPECT_EQ(format_number(3e15), "3.00e15");
}

TEST(FormatBytes, IsInMebibytesOrGibibytes) {
  EXPECT_EQ(format_bytes(0), "0 MiB");
  EXPECT_EQ(format_bytes(412.4 * (1 << 20)), "412 MiB");
  EXPECT_EQ(format_bytes(1023.4 * (1 << 20)), "1,023 MiB");
  EXPECT_EQ(format_bytes(1023.6 * (1 << 20)), "1.00 GiB");
  EXPECT_EQ(format_bytes(1.5 * (1 << 30)), "1.50 GiB");
}

TEST(WithSeparators, GroupsByThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1'000), "1,000");
  EXPECT_EQ(with_separators(-123'456), "-123,456");
  EXPECT_EQ(with_separators(1'234'567'890), "1,234,567,890");
}

TEST(FormatNumber, KeepsTwoDigitsWhereTwoAreKnown) {
  EXPECT_EQ(format_number(0.092, 2), "0.092");
  EXPECT_EQ(format_number(1.354, 2), "1.4");
  EXPECT_EQ(format_number(99.6, 2), "100");
  EXPECT_EQ(format_number(19421.9, 2), "19,000");
  EXPECT_EQ(format_number(0.0000523, 2), "5.2e-5");
}

TEST(FormatDuration, KeepsTwoDigitsWhereTwoAreKnown) {
  EXPECT_EQ(format_duration(0.001234, 2), "1.2 ms");
  EXPECT_EQ(format_duration(0.9996, 2), "1 s");
  EXPECT_EQ(format_duration(29.1, 2), "29 s");
  EXPECT_EQ(format_duration(200, 2), "3.3 min");
  EXPECT_EQ(format_duration(59.6, 2), "1 min");
  EXPECT_EQ(format_duration(120 * 86400.0, 2), "120 days");
}

TEST(TimeFrom, ReadsWhatUtcWrites) {
  EXPECT_EQ(time_from(utc(1'700'000'000)), 1'700'000'000);
  for (const char* text : {"", "2026-11-20", "2026-11-20T10:05:00Z and more", "x"}) {
    EXPECT_EQ(time_from(text), std::nullopt) << text;
  }
}

TEST(Padded, CountsWhatIsSeen) {
  EXPECT_EQ(display_width("–ᵃ"), 2U);
  EXPECT_EQ(padded("41.2×", 7, Side::right), "  41.2×");
  EXPECT_EQ(padded("β", 3, Side::left), "β  ");
}

TEST(Wrapped, BreaksAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("one two three", 7, "  "), "one two\n  three\n");
  EXPECT_EQ(wrapped("ββ ββ", 5, ""), "ββ ββ\n");
  EXPECT_EQ(wrapped("a word-that-is-too-long", 4, ""), "a\nword-that-is-too-long\n");
  EXPECT_EQ(wrapped("", 10, "  "), "\n");
}

}  // namespace
}  // namespace macrobench
