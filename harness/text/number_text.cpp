#include "harness/text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A number in Fortran's notation in C's: an exponent's letter is D, or left out if it has three
/// digits. Empty if it is not one.
std::string from_fortran(std::string_view text) {
  std::string made(text);
  const std::size_t letter = made.find_first_of("dD");
  if (letter != std::string::npos) {
    made[letter] = 'e';
    return made;
  }
  const std::size_t sign = made.find_last_of("+-");
  const bool has_three_digits = sign != std::string::npos && sign > 0 && made.size() == sign + 4 &&
                                std::all_of(made.end() - 3, made.end(), is_digit);
  const bool is_a_mantissa = has_three_digits && made.find('.') < sign &&
                             (is_digit(made[sign - 1]) || made[sign - 1] == '.');
  return is_a_mantissa ? made.insert(sign, "e") : "";
}

/// What a reader of the text does not see, or takes for something else.
struct Lookalike {
  char32_t code;
  const char* what;
};
constexpr std::array lookalikes{Lookalike{0x00A0, "a no-break space"},
                                Lookalike{0x2009, "a thin space"},
                                Lookalike{0x200B, "a space of no width"},
                                Lookalike{0x202F, "a narrow no-break space"},
                                Lookalike{0x2010, "a hyphen that is not '-'"},
                                Lookalike{0x2011, "a hyphen that is not '-'"},
                                Lookalike{0x2012, "a dash that is not '-'"},
                                Lookalike{0x2013, "a dash that is not '-'"},
                                Lookalike{0x2212, "a minus sign that is not '-'"},
                                Lookalike{0xFEFF, "a byte order mark"}};

__extension__ using Digits = __int128;  // 38 of them

/// A decimal number: digits * 10^exponent.
struct Decimal {
  Digits digits = 0;
  int exponent = 0;
};

/// The one with the fewest digits that is nearest to this double and no other.
Decimal decimal_of(double number) {
  const std::string text = fmt::format("{}", number);
  Decimal made;
  bool is_after_point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 'e') {
      made.exponent += std::atoi(text.c_str() + i + 1);
      break;
    }
    if (text[i] == '.') is_after_point = true;
    if (!is_digit(text[i])) continue;
    made.digits = 10 * made.digits + (text[i] - '0');
    if (is_after_point) --made.exponent;
  }
  if (std::signbit(number)) made.digits = -made.digits;
  return made;
}

/// Its digits with this exponent, which is not above its own; none if they are too many.
std::optional<Digits> scaled(Decimal number, int exponent) {
  constexpr Digits most = std::numeric_limits<std::int64_t>::max() * Digits{1'000'000'000'000'000};
  for (; number.digits != 0 && number.exponent > exponent; --number.exponent) {
    if (number.digits > most || number.digits < -most) return std::nullopt;
    number.digits *= 10;
  }
  return number.digits;
}

}  // namespace

std::optional<double> written_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  const std::optional<double> number = finite_number(text);
  return number ? number : finite_number(from_fortran(text));
}

std::string odd_character_in(std::string_view text) {
  while (!text.empty()) {
    const auto [code, length] = first_code_point(text);
    if (code == 0xFFFD && length == 1) {
      return fmt::format("; it has the byte {:#04x}, which is not UTF-8",
                         static_cast<unsigned char>(text.front()));
    }
    if (code < 0x20 || code >= 0x7F) {
      const auto named = std::ranges::find(lookalikes, code, &Lookalike::code);
      return fmt::format("; it has U+{:04X}{}{}", static_cast<std::uint32_t>(code),
                         named == lookalikes.end() ? "" : ", ",
                         named == lookalikes.end() ? "" : named->what);
    }
    text.remove_prefix(length);
  }
  return {};
}

std::string not_a_number(std::string_view text) {
  return fmt::format("'{}' is not a number{}", printable(shown(text)), odd_character_in(text));
}

Lines::Lines(std::streambuf& from, std::size_t most) : from_(from), most_(most) {}

bool Lines::next() {
  constexpr int end = std::char_traits<char>::eof();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  line_.clear();
  is_too_long_ = false;
  int c = from_.sbumpc();
  if (c == end) return false;
  ++number_;
  for (; c != end && c != '\n' && c != '\r'; c = from_.sbumpc()) {
    if (line_.size() < most_) {
      line_ += static_cast<char>(c);
    } else {
      is_too_long_ = true;
    }
  }
  if (c == '\r' && from_.sgetc() == '\n') from_.sbumpc();
  if (number_ == 1 && line_.starts_with(byte_order_mark)) line_.erase(0, byte_order_mark.size());
  return true;
}

std::vector<double> decimal_steps(double first, double last, double step, std::size_t most) {
  std::vector<double> values;
  if (!(step != 0) || (last - first) / step < 0) return values;
  const Decimal decimals[] = {decimal_of(first), decimal_of(last), decimal_of(step)};
  int exponent = decimals[0].exponent;
  for (const Decimal& one : decimals) exponent = std::min(exponent, one.exponent);
  const auto from = scaled(decimals[0], exponent);
  const auto to = scaled(decimals[1], exponent);
  const auto by = scaled(decimals[2], exponent);
  if (from && to && by) {
    const Digits count = (*to - *from) / *by;
    for (Digits i = 0; i <= count && values.size() <= most; ++i) {
      values.push_back(*finite_number(fmt::format("{}e{}", *from + i * *by, exponent)));
    }
    return values;
  }
  // More digits than that: their sum on paper is no double's.
  const double count = std::floor((last - first) / step);
  for (double i = 0; i <= count && values.size() <= most; ++i) values.push_back(first + i * step);
  return values;
}

}  // namespace macrobench
