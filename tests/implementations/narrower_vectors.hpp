#pragma once

#include <gtest/gtest.h>

#include <string>

#include "implementations/numerics/parallel/widest_vectors.hpp"
#include "tests/implementations/every_implementation.hpp"

namespace macrobench {

/// A processor without AVX-512, which this one must have, finds the same solution to the last bit.
inline void expect_the_bits_of_narrower_vectors(const Case& which) {
#if defined(MACROBENCH_X86_DISPATCH)
  if (numerics::widest_vector_bits() < 512) GTEST_SKIP() << "no wider vectors to compare with";
  std::string wide;
  std::string narrow;
  solve(which, &wide);
  numerics::detail::most_vector_bits = 256;
  solve(which, &narrow);
  numerics::detail::most_vector_bits = 512;
  EXPECT_EQ(narrow, wide) << which.key();
#else
  GTEST_SKIP() << "one width for all processors: " << which.key();
#endif
}

}  // namespace macrobench
