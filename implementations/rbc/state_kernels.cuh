#pragma once

// The kernels of CUDA C, one thread per state: those of cuda_c.cu, which cuda_c_gpus.cuh launches
// for a part of the capital grid on each GPU.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "implementations/numerics/device.cuh"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/published_maximizers.hpp"

namespace macrobench::rbc::cuda_c {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

/// The right-hand side of the Bellman equation, in device memory. The choices of K' are the capital
/// grid, or the future grid if V is interpolated.
template <class Real, Maximizer maximizer>
struct Bellman {
  Real alpha, beta, gamma, delta;
  int nk, nz, n_choices;
  int first, end;         ///< the part of the capital grid that is solved for
  Real cells_per_choice;  ///< cells of the capital grid between two choices, `interpolated` only
  const Real *K, *Z, *P, *choices;
  const Real* V0;

  /// E[V0(K', Z') | Z] at a choice of K', for the row P of the transition matrix at Z.
  [[nodiscard]] __device__ Real expectation(const Real* P_row, int choice) const {
    if constexpr (maximizer == Maximizer::interpolated) {
      // Both grids are uniform on the same interval, so positions follow from the index alone.
      const Real position = static_cast<Real>(choice) * cells_per_choice;
      const int below = min(static_cast<int>(position), nk - 2);
      const Real weight = position - static_cast<Real>(below);
      return (Real(1) - weight) * expected_value(P_row, V0, nk, nz, below) +
             weight * expected_value(P_row, V0, nk, nz, below + 1);
    } else {
      return expected_value(P_row, V0, nk, nz, choice);
    }
  }

  /// u(c) + beta E[V0], where `available` is output and undepreciated capital.
  [[nodiscard]] __device__ Real value(Real available, const Real* P_row, int choice) const {
    return utility(available - choices[choice], gamma) + beta * expectation(P_row, choice);
  }
};

template <class Real>
struct Best {
  Real value;
  int choice;
};

/// The first maximum of w over low .. high.
template <class Real, class Value>
__device__ Best<Real> grid_search(const Value& w, int low, int high) {
  Best<Real> best{w(low), low};
  for (int i = low + 1; i <= high; ++i) {
    const Real candidate = w(i);
    if (candidate > best.value) best = {candidate, i};
  }
  return best;
}

/// The maximum of a concave w over low .. high (Heer and Maussner 2005, p. 26); ties go low.
template <class Real, class Value>
__device__ Best<Real> bisection(const Value& w, int low, int high) {
  while (high - low > 2) {
    const int middle = (low + high) / 2;
    if (w(middle + 1) > w(middle)) {
      low = middle;
    } else {
      high = middle + 1;
    }
  }
  return grid_search<Real>(w, low, high);
}

/// V = max over K' of the right-hand side, and the policy that attains it.
template <class Real, Maximizer maximizer>
__global__ void maximise(Bellman<Real, maximizer> bellman, Real* V, std::int32_t* policy) {
  const int i = bellman.first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= bellman.end) return;

  const Real* P_row = bellman.P + j * bellman.nz;
  const Real available = resources(bellman.K[i], bellman.Z[j], bellman.alpha, bellman.delta);
  const auto w = [&](int choice) { return bellman.value(available, P_row, choice); };
  const int last = max(0, last_at_or_below(bellman.choices, bellman.n_choices, available));

  Best<Real> best;
  if constexpr (maximizer == Maximizer::bisection) {
    best = bisection<Real>(w, 0, last);
  } else {
    best = grid_search<Real>(w, 0, last);
  }
  const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.nk) +
                     static_cast<std::size_t>(i);
  V[state] = best.value;
  policy[state] = best.choice;
}

/// V = the right-hand side at the policy of an earlier iteration.
template <class Real, Maximizer maximizer>
__global__ void evaluate(Bellman<Real, maximizer> bellman, Real* V, const std::int32_t* policy) {
  const int i = bellman.first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= bellman.end) return;

  const Real available = resources(bellman.K[i], bellman.Z[j], bellman.alpha, bellman.delta);
  const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.nk) +
                     static_cast<std::size_t>(i);
  V[state] = bellman.value(available, bellman.P + j * bellman.nz, policy[state]);
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

/// The grids in device memory; the choices of K' as in Bellman.
template <class Real>
struct DeviceGrids {
  DeviceGrids(const Problem& problem, const Grids<Real>& grids)
      : K(grids.K),
        Z(grids.Z),
        P(grids.P),
        choices(problem.maximizer == Maximizer::interpolated ? future_grid<Real>(problem)
                                                             : grids.K) {}

  DeviceBuffer<Real> K, Z, P, choices;
};

/// The right-hand side for the whole capital grid, still without a V0.
template <class Real, Maximizer maximizer>
Bellman<Real, maximizer> bellman_of(const Problem& problem, const DeviceGrids<Real>& grids) {
  const Calibration& c = problem.calibration;
  const auto n_choices = static_cast<int>(grids.choices.size());
  return {.alpha = static_cast<Real>(c.alpha),
          .beta = static_cast<Real>(c.beta),
          .gamma = static_cast<Real>(c.gamma),
          .delta = static_cast<Real>(c.delta),
          .nk = problem.nk,
          .nz = problem.nz,
          .n_choices = n_choices,
          .first = 0,
          .end = problem.nk,
          .cells_per_choice = static_cast<Real>(problem.nk - 1) / static_cast<Real>(n_choices - 1),
          .K = grids.K.data(),
          .Z = grids.Z.data(),
          .P = grids.P.data(),
          .choices = grids.choices.data(),
          .V0 = nullptr};
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
    numerics::load_kernels(maximise<float, its>, maximise<double, its>, evaluate<float, its>,
                           evaluate<double, its>, max_norm<float>, max_norm<double>);
  });
}

}  // namespace macrobench::rbc::cuda_c
