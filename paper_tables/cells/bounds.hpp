#pragma once

#include <optional>
#include <string>

namespace macrobench {

/// What a number can be: [low, high]. A printed number represents all that round to it.
struct Bounds {
  double low = 0;
  double high = 0;

  static Bounds exactly(double value) { return {value, value}; }
  [[nodiscard]] double middle() const { return (low + high) / 2; }
};

Bounds operator+(Bounds a, Bounds b);
Bounds operator-(Bounds a, Bounds b);
Bounds operator*(Bounds a, Bounds b);
/// Unbounded if the divisor can be zero.
Bounds operator/(Bounds a, Bounds b);
/// base^exponent for a base that is not negative.
Bounds power(Bounds base, double exponent);
/// For what is not negative; below zero counts as zero.
Bounds root(Bounds a);

/// Whether no number is in both, apart from the rounding of their own ends.
bool are_apart(Bounds a, Bounds b);

/// "1,114.95" -> 1114.95; a time in seconds whatever its unit, "143.363 ms" -> 0.143363; none for
/// words.
std::optional<double> printed_number(const std::string& printed);

/// "53.20" -> [53.195, 53.205]: half a unit of the last digit to either side, or half of `unit`
/// if one is given ("roughly 2,500" is to a hundred). With a unit of time in seconds, as
/// printed_number(); footnote marks are skipped. None for what is not a number.
std::optional<Bounds> printed_bounds(const std::string& printed, std::optional<double> unit = {});

/// "0.1533 to 0.1565": to two digits of the bounds' distance, never narrower than it is; one number
/// if its ends agree to nine digits.
std::string to_string(Bounds bounds);

}  // namespace macrobench
