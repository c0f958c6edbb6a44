#include "paper_tables/fidelity/array_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "harness/text/error.hpp"

namespace macrobench {

namespace {

using NumberAt = std::function<double(std::size_t)>;

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Differences differences_of(std::size_t count, const NumberAt& a, const NumberAt& b) {
  Differences found;
  double sum = 0;
  for (std::size_t place = 0; place < count; ++place) {
    const double difference = distance(a(place), b(place));
    if (difference == 0) continue;
    ++found.differing;
    sum += difference;
    if (difference <= found.largest) continue;
    found.largest = difference;
    found.where = place;
  }
  found.mean = count == 0 ? 0 : sum / static_cast<double>(count);
  return found;
}

/// Where a choice is among the points, which a whole number says itself.
double position(const std::vector<double>& points, double choice) {
  if (!(choice > points.front())) return 0;
  const auto above = std::ranges::upper_bound(points, choice);
  if (above == points.end()) return static_cast<double>(points.size() - 1);
  const double before = *(above - 1);
  return static_cast<double>(above - 1 - points.begin()) + (choice - before) / (*above - before);
}

NumberAt positions(const ArrayView& array) {
  if (array.is_whole) return array.number;
  return [&array](std::size_t place) { return position(array.choices, array.number(place)); };
}

/// Of elements that are no numbers, which have the same size.
std::size_t differing_elements(const ArrayView& a, const ArrayView& b, std::size_t count) {
  const std::size_t size = a.bytes.size() / count;
  std::size_t differing = 0;
  for (std::size_t at = 0; at < a.bytes.size(); at += size) {
    if (a.bytes.substr(at, size) != b.bytes.substr(at, size)) ++differing;
  }
  return differing;
}

bool has_same_shape(const ArrayView& a, const ArrayView& b) {
  return std::ranges::equal(a.shape, b.shape, [](const Extent& left, const Extent& right) {
    return left.count == right.count;
  });
}

ArrayDifference difference(const ArrayView& a, const ArrayView& b) {
  if (a.name != b.name) {
    throw UsageError("one solution has {} where the other has {}", a.name, b.name);
  }
  if (!has_same_shape(a, b)) {
    throw UsageError("{} has other shapes: {} and {}; only solutions of equal size are compared",
                     a.name, in_words(a.shape), in_words(b.shape));
  }
  const std::size_t count = count_of(a.shape);
  ArrayDifference found{.name = a.name, .shape = a.shape, .numbers = {}, .points = {}};
  found.equal_bits = a.bytes == b.bytes;
  found.has_numbers = static_cast<bool>(a.number);
  if (!found.has_numbers) {
    found.numbers.differing = differing_elements(a, b, count);
    return found;
  }
  found.numbers = differences_of(count, a.number, b.number);
  found.a = a.number(found.numbers.where);
  found.b = b.number(found.numbers.where);
  if (!a.choices.empty() && !b.choices.empty()) {
    found.points = differences_of(count, positions(a), positions(b));
  }
  return found;
}

}  // namespace

std::string in_words(const Shape& shape) {
  std::vector<std::string> along;
  for (const Extent& extent : shape) {
    along.push_back(fmt::format("{} {}", extent.count, extent.name));
  }
  return along.empty() ? "one value" : fmt::format("{}", fmt::join(along, " x "));
}

bool ArrayDifference::is_within(double tolerance) const {
  if (equal_bits) return true;
  return has_numbers && tolerance > 0 && numbers.largest <= tolerance;
}

std::string ArrayDifference::indices_of(std::size_t place) const {
  std::vector<std::string> indices(shape.size());
  for (std::size_t along = shape.size(); along-- > 0;) {
    indices[along] = fmt::format("{} {}", shape[along].name, place % shape[along].count);
    place /= shape[along].count;
  }
  return fmt::format("{}", fmt::join(indices, ", "));
}

std::vector<ArrayDifference> differences(const std::vector<ArrayView>& a,
                                         const std::vector<ArrayView>& b) {
  if (a.size() != b.size()) {
    throw UsageError(
        "one solution has {} arrays and the other {}: only cases of equal size are "
        "compared",
        a.size(), b.size());
  }
  std::vector<ArrayDifference> all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(difference(a[i], b[i]));
  return all;
}

}  // namespace macrobench
