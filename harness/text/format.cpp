#include "harness/text/format.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

namespace macrobench {

std::string format_duration(double seconds) {
  if (std::isnan(seconds)) return "?";
  if (seconds < 0) return "-" + format_duration(-seconds);
  if (seconds == 0) return "0 s";
  // Just below a limit, rounding to three digits would print "1e+03 us", "1e+03 ms", "60 s".
  if (seconds < 999.5e-6) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 999.5e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  if (seconds < 3599.5) {
    const auto whole = std::lround(seconds);
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60)
                           : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  if (seconds < 48 * 3600.0) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

std::string with_separators(double whole) {
  std::string text = fmt::format("{:.0f}", whole);
  const std::size_t sign = whole < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", with_separators(static_cast<double>(count)), what,
                     count == 1 ? "" : "s");
}

std::string format_number(double number) {
  if (number == 0) return "0";
  if (!std::isfinite(number)) return fmt::format("{}", number);
  // Rounding comes first, so that 999.9 is 1,000 and not "1e+03".
  const std::string rounded = fmt::format("{:.2e}", number);  // "1.23e+04"
  const std::size_t e = rounded.find('e');
  const int exponent = std::atoi(rounded.c_str() + e + 1);
  if (exponent < -4 || exponent > 11) return fmt::format("{}e{}", rounded.substr(0, e), exponent);
  if (exponent < 3) return fmt::format("{:.{}f}", number, 2 - exponent);
  return with_separators(std::stod(fmt::format("{:.3e}", number)));
}

std::string letter_of(std::size_t note) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string last(1, letters[note % letters.size()]);
  return note < letters.size() ? last : letter_of(note / letters.size() - 1) + last;
}

double to_nine_digits(double value) {
  // std::stod() throws if the number is subnormal.
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

std::string utc(std::time_t time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

std::string utc_now(std::time_t ago) {
  return utc(std::time(nullptr) - ago);
}

}  // namespace macrobench
