#pragma once

// What RapidCheck's properties draw. A failing one prints the input it shrank to and the RC_PARAMS
// that bring it back.

#include <gtest/gtest.h>
#include <rapidcheck.h>
// Needs GoogleTest before it, and does not include it.
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace macrobench {

/// Any finite number, the smallest and the largest included.
inline double any_finite() {
  return *rc::gen::suchThat(
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                   [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
      [](double x) { return std::isfinite(x); });
}

/// A number from 0 up to 1, 1 not included.
inline double any_share() {
  return static_cast<double>(*rc::gen::inRange(0, 1 << 20)) / (1 << 20);
}

/// Any text of ASCII: control characters, quotes and brackets too.
inline std::string any_text() {
  return *rc::gen::container<std::string>(
      rc::gen::map(rc::gen::inRange(0, 128), [](int code) { return static_cast<char>(code); }));
}

/// The same, not empty.
inline std::string any_name() {
  return "n" + any_text();
}

}  // namespace macrobench
