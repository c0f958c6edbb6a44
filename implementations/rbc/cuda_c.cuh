#pragma once

// Value function iteration in CUDA C: one thread per state. After the CUDA C program of Aldrich,
// Fernandez-Villaverde, Gallant and Rubio-Ramirez (2011), whose blocks had 4 x nz threads and whose
// norm was cuBLAS's; here the block size is a parameter and the norm is the second kernel below.
//
// Several GPUs, `devices`, divide the capital grid. Each has all of V0, and sends its part of V to
// the others before the next iteration.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/numerics/devices.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc::cuda_c {

using numerics::check;
using numerics::Device;
using numerics::DeviceBuffer;
using numerics::Devices;
using numerics::DividedMatrix;
using numerics::PinnedBuffer;

/// The right-hand side of the Bellman equation, in device memory. The choices of K' are the capital
/// grid, or the future grid if V is interpolated.
template <class Real, Maximizer maximizer>
struct Bellman {
  Real alpha, beta, gamma, delta;
  int nk, nz, n_choices;
  int first, end;         ///< this GPU's part of the capital grid
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

template <class Real, Maximizer maximizer>
void iterate(const Problem& problem, Stages& stages, Solution<Real>& solution, Devices& devices) {
  const Grids<Real> grids = make_grids<Real>(problem);
  std::vector<Real> start(problem.states());
  for (int j = 0; j < problem.nz; ++j) {
    std::fill_n(start.begin() + std::ptrdiff_t{j} * problem.nk, problem.nk,
                grids.V0[static_cast<std::size_t>(j)]);
  }
  devices.each([&](Device& gpu) {
    const auto nk = static_cast<std::size_t>(problem.nk);
    const std::size_t first = gpu.begin(nk);
    const std::size_t count = gpu.end(nk) - first;
    // All states together, or a part of each row.
    const std::size_t rows = count == nk ? 1 : static_cast<std::size_t>(problem.nz);
    const std::size_t columns = count == nk ? problem.states() : count;

    const DeviceBuffer<Real> K(grids.K);
    const DeviceBuffer<Real> Z(grids.Z);
    const DeviceBuffer<Real> P(grids.P);
    const DeviceBuffer<Real> choices(
        maximizer == Maximizer::interpolated ? future_grid<Real>(problem) : grids.K);
    DeviceBuffer<Real> at_start(start);
    DeviceBuffer<Real> other(problem.states());
    DeviceBuffer<std::int32_t> policy(problem.states());
    PinnedBuffer<Bits<Real>> block_maxima(norm_blocks * rows);
    const auto divided = [&](DeviceBuffer<Real>& V) {
      return gpu.divide(V.data(), static_cast<std::size_t>(problem.nz), nk, sizeof(Real));
    };
    const std::array<DividedMatrix, 2> values{divided(at_start), divided(other)};  // take turns

    const Calibration& c = problem.calibration;
    Bellman<Real, maximizer> bellman{.alpha = static_cast<Real>(c.alpha),
                                     .beta = static_cast<Real>(c.beta),
                                     .gamma = static_cast<Real>(c.gamma),
                                     .delta = static_cast<Real>(c.delta),
                                     .nk = problem.nk,
                                     .nz = problem.nz,
                                     .n_choices = static_cast<int>(choices.size()),
                                     .first = static_cast<int>(first),
                                     .end = static_cast<int>(first + count),
                                     .cells_per_choice = static_cast<Real>(problem.nk - 1) /
                                                         static_cast<Real>(choices.size() - 1),
                                     .K = K.data(),
                                     .Z = Z.data(),
                                     .P = P.data(),
                                     .choices = choices.data(),
                                     .V0 = nullptr};
    const auto block = static_cast<unsigned>(problem.block);
    const dim3 grid((static_cast<unsigned>(count) + block - 1) / block,
                    static_cast<unsigned>(problem.nz));
    int iterations = 0;
    Real difference = 0;
    bool converged = false;
    for (int k = 0; k < problem.iteration_cap && !converged; ++k) {
      DeviceBuffer<Real>& from = k % 2 == 0 ? at_start : other;  // V0 = V
      DeviceBuffer<Real>& to = k % 2 == 0 ? other : at_start;
      Real* V = to.data();
      bellman.V0 = from.data();
      if (count > 0) {
        if (maximizer == Maximizer::bisection || maximise_now(k)) {
          maximise<<<grid, block>>>(bellman, V, policy.data());
        } else {
          evaluate<<<grid, block>>>(bellman, V, policy.data());
        }
        check(cudaGetLastError(), "launching one thread per state");
      }
      max_norm<<<dim3(norm_blocks, static_cast<unsigned>(rows)), norm_threads>>>(
          V + first, bellman.V0 + first, columns, nk, block_maxima.data());
      check(cudaGetLastError(), "launching the norm");
      gpu.exchange(values[k % 2 == 0 ? 1 : 0]);
      gpu.wait("iterating on the value function");
      const Bits<Real> largest = *std::max_element(block_maxima.begin(), block_maxima.end());
      difference = static_cast<Real>(gpu.largest(std::bit_cast<Real>(largest)));
      iterations = k + 1;
      converged = difference < problem.tolerance;
    }
    gpu.together([&] {
      tell_exchange(devices, stages);
      stages.finish();
    });

    if (gpu.is_first()) {
      solution.iterations = iterations;
      solution.difference = difference;
      solution.converged = converged;
      (iterations % 2 == 0 ? at_start : other).download(solution.V);
    }
    if (count > 0) {
      constexpr std::size_t size = sizeof(std::int32_t);
      check(
          cudaMemcpy2D(solution.policy.data() + first, nk * size, policy.data() + first, nk * size,
                       count * size, static_cast<std::size_t>(problem.nz), cudaMemcpyDeviceToHost),
          "copying the policy to the host");
    }
    gpu.collect(solution.policy.data(), static_cast<std::size_t>(problem.nz), nk,
                sizeof(std::int32_t));
  });
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution, Devices& devices) {
  switch (problem.maximizer) {
    case Maximizer::bisection:
      return iterate<Real, Maximizer::bisection>(problem, stages, solution, devices);
    case Maximizer::grid_howard:
      return iterate<Real, Maximizer::grid_howard>(problem, stages, solution, devices);
    case Maximizer::interpolated:
      return iterate<Real, Maximizer::interpolated>(problem, stages, solution, devices);
    case Maximizer::first_decline:
      break;  // not among its axes
  }
}

template <class Real, Maximizer maximizer>
void load_kernels() {
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, maximise<Real, maximizer>), "loading a kernel");
  check(cudaFuncGetAttributes(&attributes, evaluate<Real, maximizer>), "loading a kernel");
  check(cudaFuncGetAttributes(&attributes, max_norm<Real>), "loading a kernel");
}

/// Creates the context, and loads the kernels with it, as CUDA did when the papers timed it. Now it
/// delays that until a kernel's first launch.
inline void start(const Problem& problem, Devices& devices) {
  devices.each([&](const Device&) {
    check(cudaFree(nullptr), "creating the context");
    switch (problem.maximizer) {
      case Maximizer::bisection:
        load_kernels<float, Maximizer::bisection>();
        load_kernels<double, Maximizer::bisection>();
        break;
      case Maximizer::grid_howard:
        load_kernels<float, Maximizer::grid_howard>();
        load_kernels<double, Maximizer::grid_howard>();
        break;
      case Maximizer::interpolated:
        load_kernels<float, Maximizer::interpolated>();
        load_kernels<double, Maximizer::interpolated>();
        break;
      case Maximizer::first_decline:
        break;
    }
  });
}

}  // namespace macrobench::rbc::cuda_c
