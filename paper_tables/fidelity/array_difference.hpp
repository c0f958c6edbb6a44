#pragma once

// Two solutions of a model, array by array.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/array_view.hpp"

namespace macrobench {

/// Absolute differences, over all elements. Infinite where one of two is not a number.
struct Differences {
  std::size_t differing = 0;  ///< elements
  double largest = 0;
  double mean = 0;
  std::size_t where = 0;  ///< the first place of the largest
};

struct ArrayDifference {
  std::string name;
  Shape shape;
  bool equal_bits = false;
  /// Of arrays of numbers, and the two where it is largest; of others only `differing` is known.
  bool has_numbers = false;
  Differences numbers;
  double a = 0, b = 0;
  /// Of choices from a grid, in its points.
  std::optional<Differences> points;

  /// Whether no number differs by more; with 0, whether all bits are equal.
  [[nodiscard]] bool is_within(double tolerance) const;
  /// "Z 2, K 345", counted from 0; empty for a value.
  [[nodiscard]] std::string indices_of(std::size_t place) const;
};

/// "4 Z x 64 K", "one value"
std::string in_words(const Shape& shape);

/// Of the arrays of two solutions. Throws UsageError unless they have the same names and shapes.
std::vector<ArrayDifference> differences(const std::vector<ArrayView>& a,
                                         const std::vector<ArrayView>& b);

}  // namespace macrobench
