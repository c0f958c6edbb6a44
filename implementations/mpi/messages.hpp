#pragma once

// The messages between the program and the first of its MPI ranks, through that rank's standard
// input and output, which mpirun passes on. The program sends a Heading and a request of that size
// for each solution; when its input ends, all ranks end. The rank answers with a Heading and a
// text: once where the ranks are, and for each solution the stages and their seconds. The solution
// follows as it is in memory, part by part.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "harness/model/solution_parts.hpp"

namespace macrobench::mpi {

/// What follows it.
enum class Kind : std::uint32_t { request, ready, solved };

struct Heading {
  static constexpr std::uint32_t first_bytes = 0x6d62'7231;  // no program prints these by chance

  std::uint32_t magic = first_bytes;
  Kind kind = Kind::request;
  std::uint64_t size = 0;  ///< bytes that follow
};

/// A request for a solution: the model's problem, which is its own message.
template <class Problem>
struct Request {
  static_assert(std::is_trivially_copyable_v<Problem>);

  std::uint64_t layout = sizeof(Problem);  ///< for a program and a worker of different builds
  Problem problem;
  bool single = false;  ///< the solution's precision: single, else double
};

/// Visits the parts of a solution as bytes: `move(void*, size)` for each. Before a vector its size
/// is moved; a vector must have that size on both sides.
template <class Move, class Sizes>
class Parts {
 public:
  Parts(Move& move, Sizes& sizes) : move_(move), sizes_(sizes) {}

  template <class T>
  void operator()(const char* /*name*/, T& value, const Shape& /*shape*/ = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    move_(&value, sizeof value);
  }
  template <class T>
  void operator()(const char* /*name*/, std::vector<T>& values, const Shape& /*shape*/ = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    sizes_(values.size());
    move_(values.data(), values.size() * sizeof(T));
  }

 private:
  Move& move_;
  Sizes& sizes_;
};

}  // namespace macrobench::mpi
