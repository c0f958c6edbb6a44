#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>

namespace macrobench {

/// Seconds for people, with two or three significant digits: "12.3 µs", "1.2 ms", "3 min 20 s",
/// "3.2 h". "?" if it is not a number.
std::string format_duration(double seconds, int digits = 3);

/// Rounded to the nearest whole number; must be finite: "1,234,567".
std::string with_separators(double whole);

/// "1 case", "1,234 cases".
std::string counted(std::size_t count, const std::string& what);

/// Two or three significant digits: "0.0920", "5.20e-5". With three, from 1,000 up four, and with
/// separators: "14,160".
std::string format_number(double number, int digits = 3);

/// Memory for people: "412 MiB", "1.46 GiB".
std::string format_bytes(double bytes);

/// Nine significant digits: finer than any clock, and the same whichever way a compiler rounded the
/// last bit.
double to_nine_digits(double value);

/// In UTC: "2026-11-20T10:00:00Z".
std::string utc(std::time_t time);
/// Of such a text; none of any other.
std::optional<std::time_t> time_from(const std::string& utc);
/// Now, or so many seconds ago.
std::string utc_now(std::time_t ago = 0);

}  // namespace macrobench
