#pragma once

// What a solution consists of. A Solution names its arrays in one static function, and a visitor
// does the same to each: poisons it, hashes it, stores it, reads it back.
//
//   template <class Self, class Visit>
//   static void each_array(const Problem& problem, Self& self, Visit& visit) {
//     visit("V", self.V, {{"Z", problem.nz}, {"K", problem.nk}});
//     visit("iterations", self.iterations);
//   }
//
// An array is a vector, with its shape for this problem, whose last index runs fastest; or a value,
// which is an array of one element. Elements are trivially copyable. A struct that is nothing but
// numbers of one type calls it Number, or Count if they are counts, which begin at 0; the last
// index of a shape is then over structs.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/files/digest.hpp"

namespace macrobench {

/// One index of an array: what it counts, and how many of these there are.
struct Extent {
  const char* name;
  std::size_t count;
};
using Shape = std::vector<Extent>;

/// The counts alone.
inline std::vector<std::size_t> counts_of(const Shape& shape) {
  std::vector<std::size_t> counts;
  for (const Extent& along : shape) counts.push_back(along.count);
  return counts;
}

inline std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const Extent& along : shape) count *= along.count;
  return count;
}

/// An array of which a problem consists: a grid, a chain.
struct GivenArray {
  std::string name;
  Shape shape;
  std::string type;   ///< as NumPy writes it: "<f8"
  std::string bytes;  ///< little-endian
};

/// An array's bytes, as they are in memory.
template <class Array>
std::string_view bytes_of(const Array& array) {
  static_assert(std::is_trivially_copyable_v<Array>);
  return {reinterpret_cast<const char*>(&array), sizeof array};
}
template <class Element>
std::string_view bytes_of(const std::vector<Element>& array) {
  static_assert(std::is_trivially_copyable_v<Element>);
  return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(Element)};
}

/// What no solver leaves in an array: NaN or -1; where neither can be, what T begins with.
template <class T>
T poison_of() {
  if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return -1;
  } else if constexpr (requires { typename T::Number; }) {
    std::array<typename T::Number, sizeof(T) / sizeof(typename T::Number)> numbers;
    numbers.fill(poison_of<typename T::Number>());
    return std::bit_cast<T>(numbers);
  } else {
    return T{};
  }
}

/// Makes each vector as long as its shape says, and poisons it and all values but whole numbers and
/// flags: those are counts, which begin at 0.
struct Poison {
  template <class Element>
  void operator()(std::string_view /*name*/, std::vector<Element>& array, const Shape& shape) {
    array.assign(count_of(shape), poison_of<Element>());
  }
  template <class Element, std::size_t n>
  void operator()(std::string_view /*name*/, Element (&array)[n]) {
    for (Element& element : array) element = poison_of<Element>();
  }
  template <class Array>
  void operator()(std::string_view /*name*/, Array& array) {
    if constexpr (!std::is_integral_v<Array>) array = poison_of<Array>();
  }
};

/// A hash of all bits.
class ArraysHash {
 public:
  template <class Array>
  void operator()(std::string_view /*name*/, const Array& array, const Shape& /*shape*/ = {}) {
    hash_ = hash_ * 31 + std::hash<std::string_view>()(bytes_of(array));
  }

  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

/// The SHA-256 of all bits.
class ArraysDigest {
 public:
  template <class Array>
  void operator()(std::string_view /*name*/, const Array& array, const Shape& /*shape*/ = {}) {
    digest_ = sha256(digest_ + sha256(bytes_of(array)));
  }

  [[nodiscard]] const std::string& value() const { return digest_; }

 private:
  std::string digest_;
};

/// Gives all arrays of the solution their sizes, and puts into them what no solver leaves there.
template <class Problem, class Solution>
void fill_with_poison(const Problem& problem, Solution& solution) {
  solution = {};
  Poison poison;
  Solution::each_array(problem, solution, poison);
}

/// Equal for equal bits.
template <class Problem, class Solution>
std::uint64_t hash_of(const Problem& problem, const Solution& solution) {
  ArraysHash hash;
  Solution::each_array(problem, solution, hash);
  return hash.value();
}

/// Equal for equal bits, and for no others.
template <class Problem, class Solution>
std::string sha256_of(const Problem& problem, const Solution& solution) {
  ArraysDigest digest;
  Solution::each_array(problem, solution, digest);
  return digest.value();
}

}  // namespace macrobench
