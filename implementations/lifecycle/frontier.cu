// The life cycle on one GPU, in one cooperative kernel: two synchronisations of the grid per age.
//
// As in frontier.cpp, the expectation of a choice is computed once per age, and the best choice
// rises with savings. A warp takes a segment of 32 states of one shock: all its lanes search
// together for the choices at the segment's two ends, and each lane then searches for its own state
// in between. The kernel writes V to host memory as it runs, so there is nothing to wait for at the
// end.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/device.cuh"

namespace macrobench::lifecycle {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

constexpr int warp = 32;
constexpr int threads_a_block = 128;
constexpr unsigned all_lanes = 0xFFFFFFFF;

template <class Real>
struct Arrays {
  const float *x, *e, *P;
  double* expected;  ///< beta times the expectation of every choice, shape ne x nx
  double* next;      ///< V of the next age, shape ne x nx
  Real* V;           ///< shape T x ne x nx
};

/// Utility if sigma = 2: -1/c, to the last bit or the one before, for a c that is neither 0 nor
/// denormal. It uses the hardware's first guess and two Newton steps: a division branches to its
/// special cases, and the compiler cannot put the work of other choices between branches.
struct Reciprocal {
  __device__ double operator()(double c) const {
    double y = 0;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(c));
    for (int step = 0; step < 2; ++step) y = fma(y, fma(-c, y, 1.0), y);
    return -y;
  }
};

struct Choice {
  double value = -INFINITY;
  int at = -1;
};

/// The best choice of a whole warp, from those of its lanes; among equals, the higher.
__device__ Choice best_of_warp(Choice best) {
  for (int offset = warp / 2; offset > 0; offset /= 2) {
    const double value = __shfl_xor_sync(all_lanes, best.value, offset);
    const int at = __shfl_xor_sync(all_lanes, best.at, offset);
    if (value > best.value || (value == best.value && at > best.at)) best = {value, at};
  }
  return best;
}

/// The choices of one shock, from low to high.
template <class U>
struct Choices {
  const float* x;
  const double* expected;
  U utility;

  /// Takes x' = x[j] if it is at least as good as the best so far.
  __device__ void consider(int j, double available, Choice& best) const {
    const double consumption = available - static_cast<double>(x[j]);
    const double worth = consumption > 0 ? utility(consumption) + expected[j] : -INFINITY;
    if (worth >= best.value) best = {worth, j};
  }
};

/// The published recursion's running sum over the choices of a shock, by one warp.
__device__ void add_up(double* row, int nx) {
  const int lane = static_cast<int>(threadIdx.x % warp);
  double before = 0;
  for (int first = 0; first < nx; first += warp) {
    const int j = first + lane;
    double sum = j < nx ? row[j] : 0;
    for (int offset = 1; offset < warp; offset *= 2) {
      const double other = __shfl_up_sync(all_lanes, sum, offset);
      if (lane >= offset) sum += other;
    }
    sum += before;
    if (j < nx) row[j] = sum;
    before = __shfl_sync(all_lanes, sum, warp - 1);
  }
}

template <class Real, class U>
__global__ void __launch_bounds__(threads_a_block)
    solve_all_ages(Household<double> household, U utility, Arrays<Real> arrays, int T) {
  const auto grid = cooperative_groups::this_grid();
  const int nx = household.nx;
  const int ne = household.ne;
  const int states = nx * ne;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  const int lane = thread % warp;
  const int segments = (nx + warp - 1) / warp;

  for (int age = T; age >= 1; --age) {
    for (int s = thread; s < states; s += threads) {
      const float* row = arrays.P + s / nx * ne;
      const double* V = arrays.next + s % nx;
      double sum = 0;
      if (age < T) {
#pragma unroll 5
        for (int je = 0; je < ne; ++je) {
          sum += static_cast<double>(row[je]) * V[static_cast<std::ptrdiff_t>(je) * nx];
        }
      }
      arrays.expected[s] = household.beta * sum;
    }
    grid.sync();
    if (household.accumulates) {
      for (int ie = thread / warp; ie < ne; ie += threads / warp) {
        add_up(arrays.expected + static_cast<std::ptrdiff_t>(ie) * nx, nx);
      }
      grid.sync();
    }

    Real* V_of_age = arrays.V + static_cast<std::ptrdiff_t>(age - 1) * states;
    for (int segment = thread / warp; segment < segments * ne; segment += threads / warp) {
      const int ie = segment / segments;
      const Choices<U> choices{arrays.x, arrays.expected + static_cast<std::ptrdiff_t>(ie) * nx,
                               utility};
      const auto available = [&](int ix) {
        return resources(arrays.x[ix], arrays.e[ie], household.r, household.w);
      };
      const int first = segment % segments * warp;
      const double at_first = available(first);
      const double at_end = available(min(first + warp, nx - 1));
      Choice lowest, highest;
#pragma unroll 4
      for (int j = lane; j < nx; j += warp) {
        choices.consider(j, at_first, lowest);
        choices.consider(j, at_end, highest);
      }
      lowest = best_of_warp(lowest);
      highest = best_of_warp(highest);
      const int ix = first + lane;
      if (ix >= nx) continue;
      const double mine = available(ix);
      Choice best;
#pragma unroll 4
      for (int j = lowest.at; j <= highest.at; ++j) choices.consider(j, mine, best);
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(ie) * nx + ix;
      arrays.next[at] = best.value;
      V_of_age[at] = static_cast<Real>(best.value);
    }
    if (age > 1) grid.sync();
  }
}

template <class Real, class U>
unsigned resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int most = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, solve_all_ages<Real, U>,
                                                      threads_a_block, 0),
        "asking for the occupancy");
  return static_cast<unsigned>(multiprocessors * most);
}

template <class Real, class U>
void launch(Household<double> household, U utility, Arrays<Real> arrays, int T) {
  const auto warps = static_cast<unsigned>((household.nx + warp - 1) / warp * household.ne);
  const unsigned wanted = (warps * warp + threads_a_block - 1) / threads_a_block;
  void* arguments[] = {&household, &utility, &arrays, &T};
  check(cudaLaunchCooperativeKernel(solve_all_ages<Real, U>,
                                    dim3(std::min(wanted, resident_blocks<Real, U>())),
                                    dim3(threads_a_block), arguments, 0, nullptr),
        "launching all ages");
}

/// What start-up allocates: device memory, and host memory for the inputs and results.
template <class Real>
struct Memory {
  explicit Memory(const Problem& problem)
      : grids(static_cast<std::size_t>(problem.nx + problem.ne + problem.ne * problem.ne)),
        grids_on_device(grids.size()),
        values(2 * problem.states()),
        V(problem.states() * static_cast<std::size_t>(problem.T)) {}

  PinnedBuffer<float> grids;            ///< x, e and P
  DeviceBuffer<float> grids_on_device;  ///< the same
  DeviceBuffer<double> values;          ///< `expected` and `next`
  PinnedBuffer<Real> V;                 ///< which the kernel writes
};

template <class Real>
std::unique_ptr<Memory<Real>> memory;

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("grids");
  Memory<Real>& m = *memory<Real>;
  const Grids grids = make_grids(problem);
  float* const e = std::ranges::copy(grids.x, m.grids.data()).out;
  float* const P = std::ranges::copy(grids.e, e).out;
  std::ranges::copy(grids.P, P);
  float* const x_on_device = m.grids_on_device.data();
  check(cudaMemcpyAsync(x_on_device, m.grids.data(), m.grids.size() * sizeof(float),
                        cudaMemcpyHostToDevice),
        "copying the grids to the device");

  stages.enter("ages");
  const Arrays<Real> arrays{.x = x_on_device,
                            .e = x_on_device + (e - m.grids.data()),
                            .P = x_on_device + (P - m.grids.data()),
                            .expected = m.values.data(),
                            .next = m.values.data() + problem.states(),
                            .V = m.V.data()};
  const Household<double> household =
      make_household(problem, arrays.x, arrays.e, arrays.P, static_cast<double>(-INFINITY));
  if (problem.calibration.sigma == 2) {
    launch(household, Reciprocal(), arrays, problem.T);
  } else {
    launch(household, household.utility, arrays, problem.T);
  }
  check(cudaDeviceSynchronize(), "solving all ages");
  stages.enter("copy");
  std::ranges::copy(m.V, solution.V.begin());
  stages.finish();

  // So that a later solution cannot find this one's values there.
  std::ranges::fill(m.V, std::numeric_limits<Real>::quiet_NaN());
  check(cudaMemset(m.values.data(), 0xFF, m.values.size() * sizeof(double)), "poisoning V");
  check(cudaDeviceSynchronize(), "poisoning V");
}

/// Creates the context, loads the kernels with it, and allocates the memory.
void start(const Problem& problem) {
  check(cudaFree(nullptr), "creating the context");
  resident_blocks<float, Reciprocal>();
  resident_blocks<float, Utility<double>>();
  resident_blocks<double, Reciprocal>();
  resident_blocks<double, Utility<double>>();
  memory<float> = std::make_unique<Memory<float>>(problem);
  memory<double> = std::make_unique<Memory<double>>(problem);
}

double work(const Problem& problem) {
  return work_with(problem, problem.ne + problem.nx / 16.0);
}

const RegisterSolver registered{
    {.name = "frontier_cuda",
     .origin = Origin::frontier,
     .summary = "the expectation once per age, each choice between its neighbours', in one "
                "cooperative kernel; in double, V rounded at the end",
     .runs_on = RunsOn::gpu,
     .unavailable = numerics::no_gpu_here,
     .start = start,
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .work = work,
     .floor = floor_of_one_choice,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
