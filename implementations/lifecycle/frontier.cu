// The life cycle on one GPU, in one cooperative kernel: two synchronisations of the grid an age.
//
// As in frontier.cpp the expectation of a choice is formed once an age, and the best choice rises
// in savings. A warp takes a segment of 32 states of one shock: all its lanes search together for
// the choices at the segment's two ends, and each lane then searches for its own state in between.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/device.cuh"

namespace macrobench::lifecycle {

namespace {

using numerics::check;
using numerics::DeviceBuffer;

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

struct Choice {
  double value;
  int at;
};

/// Whether b is to be taken rather than a: the higher choice of equals.
__device__ bool is_better(const Choice& b, const Choice& a) {
  return b.value > a.value || (b.value == a.value && b.at > a.at);
}

/// The choices of one shock.
struct Shock {
  const float* x;
  const double* expected;
  Utility<double> utility;
  bool reciprocal;  ///< sigma = 2: utility is -1/c

  __device__ double worth(double available, int j) const {
    const double consumption = available - static_cast<double>(x[j]);
    const double u = reciprocal ? -1 / consumption : utility(consumption);
    return consumption > 0 ? u + expected[j] : -INFINITY;
  }

  /// The best of first, first + stride, .. last.
  __device__ Choice best(double available, int first, int last, int stride) const {
    Choice best{-INFINITY, -1};
#pragma unroll 4
    for (int j = first; j <= last; j += stride) {
      const Choice candidate{worth(available, j), j};
      if (candidate.value >= best.value) best = candidate;
    }
    return best;
  }

  /// The best of all choices from `first` on, searched by a whole warp.
  __device__ Choice best_by_warp(double available, int first, int last) const {
    Choice mine = best(available, first + static_cast<int>(threadIdx.x % warp), last, warp);
    for (int offset = warp / 2; offset > 0; offset /= 2) {
      const Choice other{__shfl_xor_sync(all_lanes, mine.value, offset),
                         __shfl_xor_sync(all_lanes, mine.at, offset)};
      if (is_better(other, mine)) mine = other;
    }
    return mine;
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

template <class Real>
__global__ void __launch_bounds__(threads_a_block)
    solve_all_ages(Household<double> household, bool reciprocal, Arrays<Real> arrays, int T) {
  const auto grid = cooperative_groups::this_grid();
  const int nx = household.nx;
  const int ne = household.ne;
  const int states = nx * ne;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  const int lane = thread % warp;
  const int segments = (nx + warp - 1) / warp;

  for (int age = T; age >= 1; --age) {
    if (age < T) {
      for (int s = thread; s < states; s += threads) {
        const int ie = s / nx;
        const double* V = arrays.next + s % nx;
        double sum = 0;
        for (int je = 0; je < ne; ++je) {
          sum +=
              static_cast<double>(arrays.P[ie * ne + je]) * V[static_cast<std::ptrdiff_t>(je) * nx];
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
    }

    Real* V_of_age = arrays.V + static_cast<std::ptrdiff_t>(age - 1) * states;
    for (int segment = thread / warp; segment < segments * ne; segment += threads / warp) {
      const int ie = segment / segments;
      const Shock shock{arrays.x, arrays.expected + static_cast<std::ptrdiff_t>(ie) * nx,
                        household.utility, reciprocal};
      const auto available = [&](int ix) {
        return resources(arrays.x[ix], arrays.e[ie], household.r, household.w);
      };
      const int first = segment % segments * warp;
      const int end = min(first + warp, nx - 1);
      const int lowest = shock.best_by_warp(available(first), 0, nx - 1).at;
      const int highest = shock.best_by_warp(available(end), lowest, nx - 1).at;
      const int ix = first + lane;
      if (ix >= nx) continue;
      const double value = shock.best(available(ix), lowest, highest, 1).value;
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(ie) * nx + ix;
      arrays.next[at] = value;
      V_of_age[at] = static_cast<Real>(value);
    }
    if (age > 1) grid.sync();
  }
}

template <class Real>
unsigned resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int most = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, solve_all_ages<Real>, threads_a_block,
                                                      0),
        "asking for the occupancy");
  return static_cast<unsigned>(multiprocessors * most);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("arrays");
  const Grids grids = make_grids(problem);
  // One upload for all three grids, one allocation for all that is double.
  std::vector<float> host(grids.x);
  host.insert(host.end(), grids.e.begin(), grids.e.end());
  host.insert(host.end(), grids.P.begin(), grids.P.end());
  DeviceBuffer<float> singles(host);
  DeviceBuffer<double> doubles(2 * problem.states());
  DeviceBuffer<Real> V(solution.V.size());
  Arrays<Real> arrays{.x = singles.data(),
                      .e = singles.data() + grids.x.size(),
                      .P = singles.data() + grids.x.size() + grids.e.size(),
                      .expected = doubles.data(),
                      .next = doubles.data() + problem.states(),
                      .V = V.data()};
  // What is expected at the last age.
  check(cudaMemsetAsync(arrays.expected, 0, problem.states() * sizeof(double)), "clearing");

  stages.enter("ages");
  Household<double> household =
      make_household(problem, arrays.x, arrays.e, arrays.P, static_cast<double>(-INFINITY));
  bool reciprocal = problem.calibration.sigma == 2;
  int T = problem.T;
  const auto warps = static_cast<unsigned>((problem.nx + warp - 1) / warp * problem.ne);
  const unsigned wanted = (warps * warp + threads_a_block - 1) / threads_a_block;
  void* arguments[] = {&household, &reciprocal, &arrays, &T};
  check(cudaLaunchCooperativeKernel(solve_all_ages<Real>,
                                    dim3(std::min(wanted, resident_blocks<Real>())),
                                    dim3(threads_a_block), arguments, 0, nullptr),
        "launching all ages");
  check(cudaDeviceSynchronize(), "solving all ages");
  stages.enter("copy");
  V.download(solution.V);
  stages.finish();
}

/// Creates the context and loads the kernels with it.
void start(const Problem&) {
  check(cudaFree(nullptr), "creating the context");
  resident_blocks<float>();
  resident_blocks<double>();
}

const RegisterSolver registered{
    {.name = "frontier_cuda",
     .origin = Origin::frontier,
     .summary = "the expectation once an age, the choice between its neighbours', in one "
                "cooperative kernel; double inside, V rounded at the end",
     .unavailable = numerics::no_gpu_here,
     .start = start,
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
