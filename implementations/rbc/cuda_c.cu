// Value function iteration in CUDA C: one thread per state. After the CUDA C program of Aldrich,
// Fernandez-Villaverde, Gallant and Rubio-Ramirez (2011), whose blocks had 4 x nz threads and whose
// norm was cuBLAS's; here the block size is a parameter and the norm is the second kernel below.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "implementations/numerics/device.cuh"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

/// The right-hand side of the Bellman equation, in device memory. The choices of K' are the capital
/// grid, or the future grid if V is interpolated.
template <class Real, Maximizer maximizer>
struct Bellman {
  Real alpha, beta, gamma, delta;
  int nk, nz, n_choices;
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
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= bellman.nk) return;

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
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i >= bellman.nk) return;

  const Real available = resources(bellman.K[i], bellman.Z[j], bellman.alpha, bellman.delta);
  const auto state = static_cast<std::size_t>(j) * static_cast<std::size_t>(bellman.nk) +
                     static_cast<std::size_t>(i);
  V[state] = bellman.value(available, bellman.P + j * bellman.nz, policy[state]);
}

// Non-negative floating-point numbers have the order of their bits, with NaN above them all: so
// integer maxima are exact in any order, and no NaN is lost.
template <class Real>
using Bits = std::conditional_t<sizeof(Real) == sizeof(unsigned), unsigned, unsigned long long>;

__device__ Bits<float> bits(float x) {
  return __float_as_uint(x);
}
__device__ Bits<double> bits(double x) {
  return static_cast<Bits<double>>(__double_as_longlong(x));
}

constexpr int norm_threads = 256;
constexpr int norm_blocks = 256;

/// Writes max |V - V0| over the states of each block to block_maxima[0 .. norm_blocks - 1].
template <class Real>
__global__ void max_norm(const Real* V, const Real* V0, std::size_t states,
                         Bits<Real>* block_maxima) {
  __shared__ Bits<Real> block_maximum;
  if (threadIdx.x == 0) block_maximum = 0;
  __syncthreads();

  Bits<Real> maximum = 0;
  for (std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; s < states;
       s += std::size_t{gridDim.x} * blockDim.x) {
    maximum = max(maximum, bits(fabs(V[s] - V0[s])));
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    maximum = max(maximum, __shfl_down_sync(0xFFFFFFFF, maximum, offset));
  }
  if (threadIdx.x % warpSize == 0) atomicMax(&block_maximum, maximum);
  __syncthreads();
  if (threadIdx.x == 0) block_maxima[blockIdx.x] = block_maximum;
}

template <class Real, Maximizer maximizer>
void iterate(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Grids<Real> grids = make_grids<Real>(problem);
  std::vector<Real> start(problem.states());
  for (int j = 0; j < problem.nz; ++j) {
    std::fill_n(start.begin() + std::ptrdiff_t{j} * problem.nk, problem.nk,
                grids.V0[static_cast<std::size_t>(j)]);
  }

  const DeviceBuffer<Real> K(grids.K);
  const DeviceBuffer<Real> Z(grids.Z);
  const DeviceBuffer<Real> P(grids.P);
  const DeviceBuffer<Real> choices(maximizer == Maximizer::interpolated ? future_grid<Real>(problem)
                                                                        : grids.K);
  DeviceBuffer<Real> V0(start);
  DeviceBuffer<Real> V(problem.states());
  DeviceBuffer<std::int32_t> policy(problem.states());
  PinnedBuffer<Bits<Real>> block_maxima(norm_blocks);

  const Calibration& c = problem.calibration;
  Bellman<Real, maximizer> bellman{
      .alpha = static_cast<Real>(c.alpha),
      .beta = static_cast<Real>(c.beta),
      .gamma = static_cast<Real>(c.gamma),
      .delta = static_cast<Real>(c.delta),
      .nk = problem.nk,
      .nz = problem.nz,
      .n_choices = static_cast<int>(choices.size()),
      .cells_per_choice = static_cast<Real>(problem.nk - 1) / static_cast<Real>(choices.size() - 1),
      .K = K.data(),
      .Z = Z.data(),
      .P = P.data(),
      .choices = choices.data(),
      .V0 = nullptr};
  const auto block = static_cast<unsigned>(problem.block);
  const dim3 grid((static_cast<unsigned>(problem.nk) + block - 1) / block,
                  static_cast<unsigned>(problem.nz));

  for (int k = 0; k < problem.iteration_cap && !solution.converged; ++k) {
    bellman.V0 = V0.data();
    if (maximizer == Maximizer::bisection || maximise_now(k)) {
      maximise<<<grid, block>>>(bellman, V.data(), policy.data());
    } else {
      evaluate<<<grid, block>>>(bellman, V.data(), policy.data());
    }
    check(cudaGetLastError(), "launching one thread per state");

    max_norm<<<norm_blocks, norm_threads>>>(V.data(), V0.data(), problem.states(),
                                            block_maxima.data());
    check(cudaGetLastError(), "launching the norm");
    check(cudaDeviceSynchronize(), "iterating on the value function");
    const auto difference =
        std::bit_cast<Real>(*std::max_element(block_maxima.begin(), block_maxima.end()));

    std::swap(V, V0);  // V0 = V
    solution.iterations = k + 1;
    solution.difference = difference;
    solution.converged = difference < problem.tolerance;
  }
  stages.finish();

  V0.download(solution.V);
  policy.download(solution.policy);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  switch (problem.maximizer) {
    case Maximizer::bisection:
      return iterate<Real, Maximizer::bisection>(problem, stages, solution);
    case Maximizer::grid_howard:
      return iterate<Real, Maximizer::grid_howard>(problem, stages, solution);
    case Maximizer::interpolated:
      return iterate<Real, Maximizer::interpolated>(problem, stages, solution);
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
void start(const Problem& problem) {
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
  }
}

const RegisterSolver registered{{
    .name = "cuda_c",
    .origin = Origin::published,
    .summary = "CUDA C, one thread per state",
    .axes = {{"maximizer"}, {"future_points"}, {"block"}},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .floor = floor_of_search,
    .known_invalid = known_invalid_in_single,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
