#pragma once

// What macrobench and the first of its MPI ranks say to each other, through that rank's standard
// input and output, which mpirun passes on: one JSON object per line, as a case's own process
// speaks. Macrobench says {"job": {"problem": "hexadecimal", "arrays": bytes}} for each solution,
// and writes the arrays, if there are any, to a file before; when its input ends, all ranks end.
// The rank says {"answer": ...}: where the ranks are, once; and for each solution the stages and
// their seconds, and then the bytes of the solution, which it has written to a file, array by
// array, as it is in memory.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "harness/model/solution_arrays.hpp"

namespace macrobench::mpi {

// The files of a request's arrays and of a solution, in the folder that the ranks are started with.
inline constexpr const char* arrays_name = "arrays";
inline constexpr const char* solution_name = "solution";

/// A request for a solution: the model's problem, which is its own message.
template <class Problem>
struct Request {
  static_assert(std::is_trivially_copyable_v<Problem>);

  std::uint64_t layout = sizeof(Problem);  ///< for a macrobench and a worker of different builds
  Problem problem;
  bool single = false;  ///< the solution's precision: single, else double
};

}  // namespace macrobench::mpi
