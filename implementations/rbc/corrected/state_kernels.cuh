#pragma once

// The kernels of cuda_c_coalesced.cu, one thread per state. In cuda_c_gpus.cu each GPU runs them
// on its share of the capital grid.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/corrected/device_grids.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published/maximizers.hpp"
#include "implementations/rbc/published/one_state.hpp"

namespace macrobench::rbc::cuda_c {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

/// V = max over K' of the right-hand side, and the policy that attains it, for the capital from
/// `first` to `end`.
template <class Real, Maximizer maximizer>
__global__ void maximize(RightHandSide<Real, maximizer> bellman, int first, int end, Real* V,
                         std::int32_t* policy) {
  const int i = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= end) return;

  const auto best = bellman.maximize(bellman.at(i, j));
  const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.nk) +
                     static_cast<std::size_t>(i);
  V[state] = best.value;
  policy[state] = best.choice;
}

/// V = the right-hand side at the policy of an earlier iteration, likewise.
template <class Real, Maximizer maximizer>
__global__ void evaluate(RightHandSide<Real, maximizer> bellman, int first, int end, Real* V,
                         const std::int32_t* policy) {
  const int i = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= end) return;

  const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.nk) +
                     static_cast<std::size_t>(i);
  V[state] = bellman.value(bellman.at(i, j), policy[state]);
}

// Non-negative floating-point numbers have the order of their bits, with NaN above them all: so
// integer maxima are exact in any order, and no NaN is lost.
template <class Real>
using Bits = std::conditional_t<sizeof(Real) == sizeof(unsigned), unsigned, unsigned long long>;

__device__ inline Bits<float> bits(float x) {
  return __float_as_uint(x);
}
__device__ inline Bits<double> bits(double x) {
  return static_cast<Bits<double>>(__double_as_longlong(x));
}

constexpr int norm_threads = 256;
constexpr int norm_blocks = 256;

/// Writes max |V - V0| over the columns of each block to block_maxima[0 .. norm_blocks - 1], for
/// each row of blocks; rows are `stride` apart.
template <class Real>
__global__ void max_norm(const Real* V, const Real* V0, std::size_t columns, std::size_t stride,
                         Bits<Real>* block_maxima) {
  __shared__ Bits<Real> block_maximum;
  if (threadIdx.x == 0) block_maximum = 0;
  __syncthreads();

  V += blockIdx.y * stride;
  V0 += blockIdx.y * stride;
  Bits<Real> maximum = 0;
  for (std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; s < columns;
       s += std::size_t{gridDim.x} * blockDim.x) {
    maximum = max(maximum, bits(fabs(V[s] - V0[s])));
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    maximum = max(maximum, __shfl_down_sync(0xFFFFFFFF, maximum, offset));
  }
  if (threadIdx.x % warpSize == 0) atomicMax(&block_maximum, maximum);
  __syncthreads();
  if (threadIdx.x == 0) block_maxima[blockIdx.y * gridDim.x + blockIdx.x] = block_maximum;
}

/// The right-hand side with the grids on the current GPU.
template <class Real, Maximizer maximizer>
RightHandSide<Real, maximizer> bellman_of(const Problem& problem,
                                          const DeviceGrids<DeviceBuffer<Real>>& grids) {
  return right_hand_side_of<Real, maximizer>(problem, grids.K, grids.Z, grids.P,
                                             [](const auto& buffer) { return buffer.data(); });
}

/// What iteration starts from, at every state.
template <class Real>
std::vector<Real> start_at_every_state(const Problem& problem, const Grids<Real>& grids) {
  std::vector<Real> V0;
  for (const Real value : grids.V0)
    V0.insert(V0.end(), static_cast<std::size_t>(problem.nk), value);
  return V0;
}

/// The current GPU's start-up.
inline void start(const Problem& problem) {
  with_published(problem.maximizer, [&]<Maximizer its>() {
    numerics::load_kernels(maximize<float, its>, maximize<double, its>, evaluate<float, its>,
                           evaluate<double, its>, max_norm<float>, max_norm<double>);
  });
}

}  // namespace macrobench::rbc::cuda_c
