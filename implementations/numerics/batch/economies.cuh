#pragma once

// A batch of economies on one GPU: as many blocks as the device can hold at once, each of which
// works on one economy after another.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::numerics {

/// How many blocks can work side by side, each with so many bytes of device memory of its own: at
/// most one for each economy. Leaves an eighth of the free memory alone. Throws if there is no
/// memory for one.
template <class Kernel>
int blocks_for_economies(Kernel kernel, int threads, int economies, std::size_t bytes_of_each) {
  int device = 0;
  int multiprocessors = 0;
  int on_each = 0;
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "counting multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, kernel, threads, 0),
        "asking for the occupancy");
  check(cudaMemGetInfo(&free, &all), "asking for free memory");
  const auto fit = static_cast<std::int64_t>((free - free / 8) / bytes_of_each);
  if (fit == 0) throw std::runtime_error("the GPU has no memory for one economy of this size");
  return static_cast<int>(
      std::min<std::int64_t>({fit, economies, std::int64_t{multiprocessors} * on_each}));
}

/// The number of the next economy, for the whole block, all of whose threads must call. `next` is 0
/// on entry to the kernel. What the block has written before is visible to all of its threads.
__device__ inline int take_next(int* next) {
  __shared__ int economy;
  __syncthreads();
  if (threadIdx.x == 0) economy = atomicAdd(next, 1);
  __syncthreads();
  return economy;
}

}  // namespace macrobench::numerics
