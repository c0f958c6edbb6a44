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

double to_nine_digits(double value) {
  // std::stod() throws where the number is subnormal.
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace macrobench
