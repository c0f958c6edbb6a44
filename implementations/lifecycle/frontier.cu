// The life cycle on one GPU, in one cooperative kernel: two synchronisations of the grid per age.
//
// As in frontier.cpp, the expectation of a choice is computed once per age, and the best choice
// rises with savings. A warp takes a segment of 32 states of one shock: all its lanes search
// together for the choices at the segment's two ends, and each lane then searches for its own state
// in between. The kernel writes V to host memory as it runs, so there is nothing to wait for at the
// end.
//
// Of a batch, a block solves one economy after another, with a warp for each shock. There are
// enough economies to fill the GPU, so that what counts is how many choices are looked at: the
// states are solved from the middle outwards as in frontier.cpp, 11 choices a state instead of 94.

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "implementations/lifecycle/economies.hpp"
#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/batch/economies.cuh"
#include "implementations/numerics/parallel/device.cuh"

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

/// The best choice of as many lanes next to each other, a power of two; among equals, the higher.
__device__ Choice best_of_lanes(int lanes, Choice best) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
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

/// The expectation of the choice x' = x[j]: `row` is of the transition matrix, and `V` of the next
/// age, null at age T.
__device__ double expectation(const float* row, const double* V, int j, int nx, int ne) {
  double sum = 0;
  if (V == nullptr) return sum;
  V += j;
#pragma unroll 5
  for (int je = 0; je < ne; ++je) {
    sum += static_cast<double>(row[je]) * V[static_cast<std::ptrdiff_t>(je) * nx];
  }
  return sum;
}

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
      const double* V = age < T ? arrays.next : nullptr;
      arrays.expected[s] = household.beta * expectation(arrays.P + s / nx * ne, V, s % nx, nx, ne);
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
      lowest = best_of_lanes(warp, lowest);
      highest = best_of_lanes(warp, highest);
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

// --- many economies, a block each ---------------------------------------------------------------

constexpr int threads_of_economy = 512;

/// The economies of a launch, and what their blocks work on.
struct Economies {
  const Household<double>* households;  ///< count, with their grids on the device
  int count;
  int T;
  int* next;  ///< the first that no block has taken; 0 on entry
  // Of each block, one after the other.
  double* V;             ///< of two ages, shape 2 x ne x nx
  double* expected;      ///< beta times the expectation of every choice, shape ne x nx
  std::int32_t* choice;  ///< shape ne x nx
};

/// What is kept of them. Every array begins with the launch's first economy, except V.
template <class Real>
struct Kept {
  const State* states;         ///< count x states_per_sample: the sampled ones
  const std::int32_t* places;  ///< among those that are kept in full, or -1
  Real* sample;                ///< as in Solution, as is the rest
  std::int32_t* sample_choice;
  Real* V;
};

/// V and the best choice at every state of a shock, by one warp. First the two ends, then all
/// states halfway between two that are known. A level has few states with many choices or many with
/// few: each gets as many lanes as there are for it.
template <class U>
__device__ void search(const Choices<U>& choices, const Household<double>& household, int ie,
                       double* V, std::int32_t* choice) {
  const int nx = household.nx;
  const int lane = static_cast<int>(threadIdx.x % warp);
  const auto solve_states = [&](int first, int stride, int count, const auto& bounds) {
    int lanes = warp;
    while (lanes > 1 && lanes * count > warp) lanes /= 2;
    for (int begin = 0; begin < count; begin += warp / lanes) {
      const int state = begin + lane / lanes;
      const int ix = first + state * stride;
      Choice best;
      if (state < count) {
        const double available =
            resources(household.x[ix], household.e[ie], household.r, household.w);
        const auto [from, to] = bounds(ix);
        for (int j = from + lane % lanes; j <= to; j += lanes) {
          choices.consider(j, available, best);
        }
      }
      best = best_of_lanes(lanes, best);
      if (state < count && lane % lanes == 0) {
        V[ix] = best.value;
        choice[ix] = best.at;
      }
    }
    __syncwarp();
  };
  struct Bounds {
    int from, to;
  };
  solve_states(0, 1, 1, [&](int) { return Bounds{0, nx - 1}; });
  solve_states(nx - 1, 1, 1, [&](int) { return Bounds{choice[0], nx - 1}; });
  int step = 1;
  while (step < nx - 1) step *= 2;
  for (step /= 2; step >= 1; step /= 2) {
    solve_states(step, 2 * step, (nx - 2 - step) / (2 * step) + 1,
                 [&](int ix) { return Bounds{choice[ix - step], choice[min(ix + step, nx - 1)]}; });
  }
}

/// What the sample keeps of an age: V and choice there, and V of the next age, null at age T.
template <class Real>
__device__ void keep(const Household<double>& household, int economy, int age, const double* V,
                     const std::int32_t* choice, const double* next, const Kept<Real>& kept) {
  const int nx = household.nx;
  const int ne = household.ne;
  const int size = 1 + 3 * ne;
  for (int k = static_cast<int>(threadIdx.x); k < states_per_sample * size;
       k += static_cast<int>(blockDim.x)) {
    const std::size_t sample = static_cast<std::size_t>(economy) * states_per_sample + k / size;
    const State state = kept.states[sample];
    if (state.age != age) continue;
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(state.ie) * nx + state.ix;
    const int number = k % size;
    double value = 0;
    if (number == 0) {
      value = V[at];
      kept.sample_choice[sample] = choice[at];
    } else if (next != nullptr) {
      const std::int32_t there = around(nx, choice[at]).choice[(number - 1) / ne];
      value = next[static_cast<std::ptrdiff_t>((number - 1) % ne) * nx + there];
    }
    kept.sample[sample * size + number] = static_cast<Real>(value);
  }
}

/// All ages of each economy.
template <class Real>
__global__ void __launch_bounds__(threads_of_economy, 2)
    solve_economies(Economies economies, Kept<Real> kept) {
  const auto thread = static_cast<int>(threadIdx.x);
  while (true) {
    const int economy = numerics::take_next(economies.next);
    if (economy >= economies.count) return;
    const Household<double> household = economies.households[economy];
    const int nx = household.nx;
    const int ne = household.ne;
    const int states = nx * ne;
    const auto first = static_cast<std::ptrdiff_t>(blockIdx.x) * states;
    double* const expected = economies.expected + first;
    std::int32_t* const choice = economies.choice + first;
    const std::int32_t place = kept.places[economy];
    for (int age = economies.T; age >= 1; --age) {
      double* const V = economies.V + 2 * first + (age % 2) * states;
      const double* const next =
          age < economies.T ? economies.V + 2 * first + (age + 1) % 2 * states : nullptr;
      for (int s = thread; s < states; s += threads_of_economy) {
        expected[s] = household.beta * expectation(household.P + s / nx * ne, next, s % nx, nx, ne);
      }
      __syncthreads();
      for (int ie = thread / warp; ie < ne; ie += threads_of_economy / warp) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(ie) * nx;
        const Choices<Utility<double>> choices{household.x, expected + row, household.utility};
        search(choices, household, ie, V + row, choice + row);
      }
      __syncthreads();
      keep(household, economy, age, V, choice, next, kept);
      if (place < 0) continue;
      Real* const V_of_age =
          kept.V + (static_cast<std::ptrdiff_t>(place) * economies.T + age - 1) * states;
      for (int s = thread; s < states; s += threads_of_economy) {
        V_of_age[s] = static_cast<Real>(V[s]);
      }
    }
  }
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
void solve_one(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("grids");
  Memory<Real>& m = *memory<Real>;
  const Grids<float> grids = make_grids<float>(problem);
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

/// Numbers whose grids are made together, while the GPU solves the economies before.
constexpr std::size_t most_grid_numbers = std::size_t{1} << 23;

template <class T>
void copy_to(T* to, const T* from, std::size_t count) {
  check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDefault), "copying a batch");
}

/// A batch on the device: what its blocks work on, and what is kept.
template <class Real>
class Batch {
 public:
  explicit Batch(const Problem& problem)
      : problem_(problem),
        grid_numbers_(grid_numbers(problem)),
        at_once_(static_cast<int>(std::clamp<std::size_t>(
            most_grid_numbers / grid_numbers_, 1, static_cast<std::size_t>(problem.economies)))),
        blocks_(numerics::blocks_for_economies(solve_economies<Real>, threads_of_economy, at_once_,
                                               problem.states() * bytes_of_state)),
        V_(2 * working_states()),
        expected_(working_states()),
        choice_(working_states()),
        grids_(static_cast<std::size_t>(at_once_) * grid_numbers_),
        households_(static_cast<std::size_t>(at_once_)),
        next_(1),
        states_(samples(at_once_)),
        places_(static_cast<std::size_t>(at_once_)),
        sample_(samples(at_once_) * sample_size(problem)),
        sample_choice_(samples(at_once_)),
        full_(static_cast<std::size_t>(kept_in_full(problem).count) * problem.states() *
              static_cast<std::size_t>(problem.T)) {}

  /// How many economies are solved by one launch.
  [[nodiscard]] int at_once() const { return at_once_; }

  /// Starts to solve the economies from `first` on, whose grids these are.
  void launch(int first, int count, const std::vector<float>& grids) {
    upload(first, count, grids);
    const Economies economies{.households = households_.data(),
                              .count = count,
                              .T = problem_.T,
                              .next = next_.data(),
                              .V = V_.data(),
                              .expected = expected_.data(),
                              .choice = choice_.data()};
    const Kept<Real> kept{.states = states_.data(),
                          .places = places_.data(),
                          .sample = sample_.data(),
                          .sample_choice = sample_choice_.data(),
                          .V = full_.data()};
    solve_economies<Real><<<static_cast<unsigned>(blocks_), threads_of_economy>>>(economies, kept);
    check(cudaGetLastError(), "launching a batch");
  }

  /// Waits for those of the last launch, and copies what is kept of them, except in full.
  void collect(int first, int count, Solution<Real>& solution) {
    check(cudaDeviceSynchronize(), "solving a batch");
    copy_to(&solution.sample[samples(first) * sample_size(problem_)], sample_.data(),
            samples(count) * sample_size(problem_));
    copy_to(&solution.sample_choice[samples(first)], sample_choice_.data(), samples(count));
  }

  void collect_in_full(Solution<Real>& solution) {
    copy_to(solution.V.data(), full_.data(), full_.size());
  }

 private:
  static constexpr std::size_t bytes_of_state = 3 * sizeof(double) + sizeof(std::int32_t);

  [[nodiscard]] std::size_t working_states() const {
    return static_cast<std::size_t>(blocks_) * problem_.states();
  }
  static std::size_t samples(int economies) {
    return static_cast<std::size_t>(economies) * states_per_sample;
  }

  void upload(int first, int count, const std::vector<float>& grids) {
    const numerics::KeptInFull full = kept_in_full(problem_);
    std::vector<Household<double>> households;
    std::vector<State> states;
    std::vector<std::int32_t> places;
    const float* x = grids_.data();
    for (int economy = first; economy < first + count; ++economy, x += grid_numbers_) {
      const float* const e = x + problem_.nx;
      households.push_back(make_household(economy_of(problem_, economy), x, e, e + problem_.ne,
                                          static_cast<double>(-INFINITY)));
      for (int n = 0; n < states_per_sample; ++n) {
        states.push_back(sampled_state(problem_, economy, n));
      }
      places.push_back(full.place(economy));
    }
    const int none_taken = 0;
    copy_to(grids_.data(), grids.data(), grids.size());
    copy_to(households_.data(), households.data(), households.size());
    copy_to(states_.data(), states.data(), states.size());
    copy_to(places_.data(), places.data(), places.size());
    copy_to(next_.data(), &none_taken, 1);
  }

  const Problem& problem_;
  std::size_t grid_numbers_;
  int at_once_;
  int blocks_;
  DeviceBuffer<double> V_, expected_;
  DeviceBuffer<std::int32_t> choice_;
  DeviceBuffer<float> grids_;
  DeviceBuffer<Household<double>> households_;
  DeviceBuffer<int> next_;
  DeviceBuffer<State> states_;
  DeviceBuffer<std::int32_t> places_;
  DeviceBuffer<Real> sample_;
  DeviceBuffer<std::int32_t> sample_choice_;
  DeviceBuffer<Real> full_;
};

/// Each economy by one block; host threads make the grids.
template <class Real>
void solve_batch(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("economies");
  Batch<Real> batch(problem);
  int launched = 0;
  for (int first = 0; first < problem.economies; first += launched) {
    const int count = std::min(batch.at_once(), problem.economies - first);
    const std::vector<float> grids = grids_of_economies(problem, first, count);
    if (first > 0) batch.collect(first - launched, launched, solution);
    batch.launch(first, count, grids);
    launched = count;
  }
  batch.collect(problem.economies - launched, launched, solution);
  batch.collect_in_full(solution);
  stages.finish();
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (problem.economies == 1) {
    solve_one(problem, stages, solution);
  } else {
    solve_batch(problem, stages, solution);
  }
}

/// Creates the context, loads the kernels with it, and allocates the memory of a single solution.
void start(const Problem& problem) {
  numerics::load_kernels(solve_economies<float>, solve_economies<double>);
  resident_blocks<float, Reciprocal>();
  resident_blocks<float, Utility<double>>();
  resident_blocks<double, Reciprocal>();
  resident_blocks<double, Utility<double>>();
  if (problem.economies > 1) return;
  memory<float> = std::make_unique<Memory<float>>(problem);
  memory<double> = std::make_unique<Memory<double>>(problem);
}

double work(const Problem& problem) {
  const double choices = problem.economies == 1 ? problem.nx / 16.0 : std::log2(problem.nx);
  return work_with(problem, problem.ne + choices);
}

const RegisterSolver registered{numerics::on_gpu(Solver{
    .name = "frontier_cuda",
    .origin = Origin::frontier,
    .summary =
        "the expectation once per age, each choice between its neighbours', in one "
        "cooperative kernel; in double, V rounded at the end; of a batch, an economy in each "
        "block",
    .axes = {{"threads"},
             {"economies"},
             {"draw"},
             {"calibrations"},
             {.name = "grids", .choices = {"rounded"}}},
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .hooks = {.work = work, .floor = floor_of_one_choice},
    .source = __FILE__})};

}  // namespace

}  // namespace macrobench::lifecycle
