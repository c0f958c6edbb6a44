#pragma once

#include <type_traits>

/// Marks a lambda given to `with_widest_vectors`, and what it calls, so that all of it is compiled
/// for the instruction set chosen.
#if defined(__GNUC__)
#define MACROBENCH_ALWAYS_INLINE __attribute__((always_inline))
#else
#define MACROBENCH_ALWAYS_INLINE
#endif

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__CUDACC__)
#define MACROBENCH_X86_DISPATCH 1
#endif

namespace macrobench::numerics {

#if defined(MACROBENCH_X86_DISPATCH)

namespace detail {

template <class Body>
__attribute__((target("avx2,fma"))) void with_avx2(const Body& body) {
  body();
}

template <class Body>
__attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw"))) void with_avx512(
    const Body& body) {
  body();
}

/// Lowered by tests, to take the way of a processor with less. Not while anything is computed.
inline int most_vector_bits = 512;

}  // namespace detail

/// Bits of the vectors that `with_widest_vectors` compiles for here: 512, 256 or 128.
inline int widest_vector_bits() {
  static const int bits = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 128;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
               ? 512
               : 256;
  }();
  return bits < detail::most_vector_bits ? bits : detail::most_vector_bits;
}

/// Runs body() compiled for the widest vector instructions that this processor has: the
/// executable itself keeps the baseline instruction set. Results can differ between processors by
/// the rounding of fused multiply-adds.
template <class Body>
void with_widest_vectors(const Body& body) {
  switch (widest_vector_bits()) {
    case 512:
      return detail::with_avx512(body);
    case 256:
      return detail::with_avx2(body);
    default:
      return body();
  }
}

#else

inline int widest_vector_bits() {
  return 128;
}

template <class Body>
void with_widest_vectors(const Body& body) {
  body();
}

#endif

/// As with_widest_vectors, for body(lanes): lanes::value is how many Numbers a vector has. It has
/// 64 bytes, or 32 where AVX2 is the widest: there GCC sends wider ones through memory.
template <class Number, class Body>
void with_widest_lanes(const Body& body) {
  using Wide = std::integral_constant<int, static_cast<int>(64 / sizeof(Number))>;
#if defined(MACROBENCH_X86_DISPATCH)
  using Narrow = std::integral_constant<int, static_cast<int>(32 / sizeof(Number))>;
  // Chosen outside, so that no version carries another's instructions.
  if (widest_vector_bits() == 256) {
    return detail::with_avx2([&]() MACROBENCH_ALWAYS_INLINE { body(Narrow{}); });
  }
#endif
  with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE { body(Wide{}); });
}

}  // namespace macrobench::numerics
