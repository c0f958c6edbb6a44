#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/solver.hpp"

namespace macrobench {

/// How a result is checked. If not all states are, those that are follow from bits that are drawn
/// when the result is there, and from the result itself: no program can know where it is looked at.
struct Scrutiny {
  bool thorough = false;  ///< check every state, however long that takes
  std::string draw = {};  ///< random bits, in hexadecimal; Outcome::draw keeps them
  /// What the program does oddly is marked, and not refused: it is as published, or a stranger's.
  bool keeps_quirks = false;

  Scrutiny() = default;
  // A test that says only how thorough a check is always has the same sample.
  Scrutiny(bool thorough_in) : thorough(thorough_in) {}  // NOLINT(google-explicit-constructor)
  Scrutiny(bool thorough_in, std::string draw_in)
      : thorough(thorough_in), draw(std::move(draw_in)) {}

  /// The same scrutiny of a program of that origin.
  [[nodiscard]] Scrutiny of(Origin origin) const {
    Scrutiny its = *this;
    its.keeps_quirks = origin != Origin::corrected && origin != Origin::frontier;
    return its;
  }

  /// What a sample of this result is drawn by; its hash is hash_of() of its arrays.
  [[nodiscard]] std::mt19937_64 random(std::uint64_t hash_of_result) const {
    std::vector<std::uint32_t> words(draw.begin(), draw.end());
    words.push_back(static_cast<std::uint32_t>(hash_of_result));
    words.push_back(static_cast<std::uint32_t>(hash_of_result >> 32));
    std::seed_seq seed(words.begin(), words.end());
    return std::mt19937_64(seed);
  }
};

inline constexpr std::string_view draw_digits = "0123456789abcdef";
inline constexpr std::size_t draw_size = 32;

inline bool is_draw(std::string_view text) {
  return text.size() == draw_size && text.find_first_not_of(draw_digits) == std::string_view::npos;
}

/// 128 bits that no program knows before.
inline std::string new_draw() {
  std::random_device random;
  std::string draw;
  while (draw.size() < draw_size) {
    std::uint32_t word = random();
    for (int n = 0; n < 8; ++n, word >>= 4) draw += draw_digits[word & 15];
  }
  return draw;
}

}  // namespace macrobench
