#include "harness/text/format.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

namespace macrobench {

std::string format_duration(double seconds, int digits) {
  if (std::isnan(seconds)) return "?";
  if (seconds < 0) return "-" + format_duration(-seconds, digits);
  if (seconds == 0) return "0 s";
  // First, so that no unit's limit is reached by rounding: "1e+03 µs", "60 s".
  const double rounded = std::strtod(fmt::format("{:.{}e}", seconds, digits - 1).c_str(), nullptr);
  if (rounded < 1e-3) return fmt::format("{:.3g} µs", rounded * 1e6);
  if (rounded < 1) return fmt::format("{:.3g} ms", rounded * 1e3);
  if (rounded < 60) return fmt::format("{:.3g} s", rounded);
  if (seconds < 3599.5) {
    if (digits < 3) return fmt::format("{:.{}g} min", rounded / 60, digits);
    const auto whole = std::lround(seconds);
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60)
                           : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  if (seconds < 48 * 3600.0) return fmt::format("{:.{}g} h", seconds / 3600, digits);
  const double days = seconds / 86400;
  return days < 100 ? fmt::format("{:.{}g} days", days, digits) : with_separators(days) + " days";
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

std::string format_number(double number, int digits) {
  if (number == 0) return "0";
  if (!std::isfinite(number)) return fmt::format("{}", number);
  // Rounding comes first, so that 999.9 is 1,000 and not "1e+03".
  const std::string rounded = fmt::format("{:.{}e}", number, digits - 1);  // "1.23e+04"
  const std::size_t e = rounded.find('e');
  const int exponent = std::atoi(rounded.c_str() + e + 1);
  if (exponent < -4 || exponent > 11) return fmt::format("{}e{}", rounded.substr(0, e), exponent);
  if (exponent < digits - 1) return fmt::format("{:.{}f}", number, digits - 1 - exponent);
  const int shown = digits == 3 && exponent > 2 ? 4 : digits;
  return with_separators(std::stod(fmt::format("{:.{}e}", number, shown - 1)));
}

std::string format_bytes(double bytes) {
  const double mebibytes = bytes / (1 << 20);
  const bool is_large = mebibytes >= 1023.5;  // which are 1,024 in whole ones
  return format_number(is_large ? mebibytes / 1024 : mebibytes) + (is_large ? " GiB" : " MiB");
}

double to_nine_digits(double value) {
  // std::stod() throws if the number is subnormal.
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

std::string utc(std::time_t time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

std::optional<std::time_t> time_from(const std::string& utc) {
  std::tm parts{};
  const char* const end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&parts);
}

std::string utc_now(std::time_t ago) {
  return utc(std::time(nullptr) - ago);
}

}  // namespace macrobench
