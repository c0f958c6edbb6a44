#pragma once

// The messages between the program and its MPI processes. The program sends rank 0 one Request per
// solution; when its input ends, all processes end. Rank 0 answers with single bytes: `ready` once,
// then for each solution `age` as it begins an age and `solved` after the last, followed by V of
// all ages, shape T x ne x nx, as it is in memory.

#include <cstdint>
#include <type_traits>

#include "implementations/lifecycle/model.hpp"

namespace macrobench::lifecycle {

struct Request {
  static constexpr std::uint64_t this_layout = 0x6d62'6c63'0000'0000 + sizeof(Problem);

  std::uint64_t layout = this_layout;
  Problem problem;
  bool single = false;  ///< V in single precision, else in double
};
static_assert(std::is_trivially_copyable_v<Request>);

enum class Signal : char { ready = 'r', age = 'a', solved = 's' };

}  // namespace macrobench::lifecycle
