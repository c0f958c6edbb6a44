// The best solver that we know on one GPU. Write V = Vc + D: Vc solves the continuous problem, on
// the host, at a cost that does not depend on nk; D is the cost of rounding capital to the grid. On
// a fine grid, D moves V by less than the tolerance, and one application of the Bellman operator to
// Vc on the device is enough. A coarser grid needs a few policy iterations (kernel.cuh).
// If there is no Vc, the grids go from coarse to fine.
//
// In both cases the last application is exhaustive, and its residual is the solver's own
// certificate. Where that does not converge, the way is "host": cpu.cpp solves the rest.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "implementations/numerics/batch/economies.cuh"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/rbc/economies.hpp"
#include "implementations/rbc/frontier/continuous.hpp"
#include "implementations/rbc/frontier/cpu.hpp"
#include "implementations/rbc/frontier/input.hpp"
#include "implementations/rbc/frontier/kernel.cuh"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using frontier::Report;
using frontier::Search;
using frontier::Start;
using frontier::Task;
using numerics::check;
using numerics::DeviceBuffer;

/// The first grid if there is nothing to start from, and the factor from each grid to the next.
constexpr int coarsest = 64;
constexpr int refinement = 8;

/// Passes after which the host takes over. Few calibrations need that: those in which households
/// that are all but infinitely patient stay at each of many levels of capital for a long time,
/// whatever their productivity. Only linear algebra that has no parallel form here is quick then.
constexpr int patience = 500;

/// A pass improves the policy and evaluates it: two iterations, except for the last pass.
int most_passes_of(const Problem& problem) {
  return std::clamp((problem.iteration_cap + 1) / 2, 1, patience);
}

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

using Kernel = void (*)(frontier::Level, Task);

Kernel kernel_of(Search search) {
  return search == Search::climb ? frontier::iterate<Search::climb>
                                 : frontier::iterate<Search::divide>;
}

/// What the device allows a cooperative kernel.
struct Limits {
  int multiprocessors = 0;
  int shared_bytes = 0;  ///< that a block may request at its launch

  static constexpr int static_bytes = 1024;  ///< more than the kernels use without a request

  static Limits of_device() {
    int device = 0;
    int cooperative = 0;
    Limits limits;
    check(cudaGetDevice(&device), "choosing the device");
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device),
          "asking for cooperative launches");
    if (cooperative == 0) throw std::runtime_error("the GPU has no cooperative launches");
    check(cudaDeviceGetAttribute(&limits.multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "counting multiprocessors");
    check(cudaDeviceGetAttribute(&limits.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                 device),
          "asking for shared memory");
    limits.shared_bytes -= static_bytes;
    for (const Kernel kernel : {kernel_of(Search::climb), kernel_of(Search::divide)}) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 limits.shared_bytes),
            "asking for shared memory");
    }
    return limits;
  }
};

/// Device memory from which arrays are cut: one allocation costs less than ten.
class Arena {
 public:
  explicit Arena(std::size_t bytes) : memory_(bytes) {}

  template <class T>
  T* take(std::size_t count) {
    T* const array = reinterpret_cast<T*>(memory_.data() + used_);
    used_ += rounded(count * sizeof(T));
    if (used_ > memory_.size()) throw std::logic_error("the arena is too small");
    return array;
  }

  static std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

 private:
  DeviceBuffer<std::byte> memory_;
  std::size_t used_ = 0;
};

/// Numbers for a control block, which must be 0.
constexpr std::size_t control_size =
    (sizeof(frontier::Control) + sizeof(double) - 1) / sizeof(double);

/// What the kernel reads, where `numbers` are on the device. The rest is null.
frontier::Level level_of(const Problem& problem, const frontier::Input& input, double* numbers) {
  const Calibration& c = problem.calibration;
  const auto at = [&](std::ptrdiff_t place) {
    return place == frontier::Input::none ? nullptr : numbers + place;
  };
  frontier::Level level{};
  level.economy = {.alpha = c.alpha,
                   .beta = c.beta,
                   .gamma = c.gamma,
                   .delta = c.delta,
                   .low = input.low,
                   .step = input.step,
                   .nk = problem.nk,
                   .nz = problem.nz,
                   .Z = at(input.Z),
                   .betaP = at(input.beta_P),
                   .output = nullptr,
                   .is_quick = problem.tolerance >= frontier::least_of_quick * input.scale};
  level.doublings = input.doublings;
  level.discount = reinterpret_cast<const float*>(at(input.discount));
  level.resolvent = at(input.resolvent);
  level.coupling = at(input.coupling);
  level.means = at(input.means);
  level.series = at(input.series);
  level.series_policy = at(input.series_policy);
  level.terms = input.terms;
  level.shift = input.shift;
  return level;
}

/// One capital grid on the device.
class Grid {
 public:
  /// Starts from `continuous`, from the grid `coarser`, or from nothing where both are null.
  Grid(const Problem& problem, const Limits& limits, const ContinuousSolution* continuous,
       const Grid* coarser, bool room_to_round)
      : problem_(problem), limits_(limits) {
    const frontier::Input input = frontier::input_of(problem, continuous);
    take_memory(input, room_to_round);
    if (continuous != nullptr) {
      start_ = Start::continuous;
    } else if (coarser != nullptr) {
      start_from(*coarser);
    }
    level_.in_shared = frontier::shared_bytes(problem.nk) <= index(limits.shared_bytes);
  }

  /// Iterates for at most that many passes, and continues where the last call stopped. False if
  /// there is more to do. Without the constants of `coupled` it converges for sure, if slowly.
  bool solve(Search search, bool coupled, int passes) {
    level_.coupling = coupled ? coupling_ : nullptr;
    if (search == Search::divide || problem_.nz > 8) make_room_for_expected();
    while (passes > 0) {
      const bool has_room = level_.error != nullptr;
      launch(kernel_of(search), {start_, problem_.tolerance, has_room ? passes : 1});
      start_ = Start::as_it_is;
      passes -= report_.passes;
      passes_ += report_.passes;
      if (report_.converged != 0 && level_.economy.output == nullptr &&
          !(report_.rounding <= frontier::of_resources * problem_.tolerance)) {
        take_output();
        continue;
      }
      if (report_.converged != 0) return report_.certified != 0;
      if (!has_room) {
        take_error(memory_.emplace_back(problem_.states() * error_bytes + 2 * Arena::rounded(1)));
      }
    }
    return false;
  }

  [[nodiscard]] const Report& report() const { return report_; }
  [[nodiscard]] int passes() const { return passes_; }

  [[nodiscard]] const double* V() const { return level_.V; }
  [[nodiscard]] const std::int32_t* policy() const { return level_.policy; }
  [[nodiscard]] float* rounded() { return rounded_; }

 private:
  static constexpr std::size_t error_bytes = 2 * (sizeof(float) + sizeof(std::int32_t));

  void start_from(const Grid& coarser) {
    start_ = Start::coarser;
    level_.coarse_V = coarser.level_.V;
    level_.coarse_policy = coarser.level_.policy;
    level_.coarse_nk = coarser.problem_.nk;
  }

  void take_memory(const frontier::Input& input, bool room_to_round) {
    const std::size_t states = problem_.states();
    std::vector<double> numbers = input.numbers;
    numbers.resize(numbers.size() + control_size);
    Arena& arena = memory_.emplace_back(states * (sizeof(double) + sizeof(std::int32_t) +
                                                  (room_to_round ? sizeof(float) : 0) +
                                                  (input.in_one_pass ? 0 : error_bytes)) +
                                        numbers.size() * sizeof(double) + 8 * Arena::rounded(1));
    double* const V = arena.take<double>(states);
    auto* const policy = arena.take<std::int32_t>(states);
    double* const on_device = arena.take<double>(numbers.size());
    check(cudaMemcpyAsync(on_device, numbers.data(), numbers.size() * sizeof(double),
                          cudaMemcpyHostToDevice),
          "copying to the device");
    level_ = level_of(problem_, input, on_device);
    level_.V = V;
    level_.policy = policy;
    level_.control = reinterpret_cast<frontier::Control*>(on_device + input.numbers.size());
    coupling_ = level_.coupling;
    if (room_to_round) rounded_ = arena.take<float>(states);
    if (!input.in_one_pass) take_error(arena);
  }

  void take_error(Arena& arena) {
    level_.error = arena.take<float>(2 * problem_.states());
    level_.jump = arena.take<std::int32_t>(2 * problem_.states());
  }

  void take_output() {
    std::vector<double> output = make_grids<double>(problem_).K;
    for (double& K : output) K = std::pow(K, problem_.calibration.alpha);
    double* const to = memory_.emplace_back(output.size() * sizeof(double) + Arena::rounded(1))
                           .take<double>(output.size());
    check(cudaMemcpy(to, output.data(), output.size() * sizeof(double), cudaMemcpyHostToDevice),
          "copying to the device");
    level_.economy.output = to;
  }

  void make_room_for_expected() {
    if (level_.expected != nullptr) return;
    const std::size_t states = problem_.states();
    level_.expected =
        memory_.emplace_back(states * sizeof(double) + Arena::rounded(1)).take<double>(states);
  }

  void launch(Kernel kernel, Task task) {
    if (launched_) {
      check(cudaMemsetAsync(level_.control, 0, sizeof(frontier::Control)), "clearing the controls");
    }
    launched_ = true;
    const int threads = std::min(frontier::most_threads, (problem_.nk + 31) / 32 * 32);
    const std::size_t shared = level_.in_shared ? frontier::shared_bytes(problem_.nk) : 0;
    int most = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, threads, shared),
          "asking for the occupancy");
    const auto tiles = (problem_.nk + threads - 1) / threads * std::int64_t{problem_.nz};
    const auto blocks = static_cast<unsigned>(
        std::min<std::int64_t>(tiles, std::int64_t{most} * limits_.multiprocessors));
    void* arguments[] = {&level_, &task};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(static_cast<unsigned>(threads)),
                                      arguments, shared, nullptr),
          "launching the iteration");
    check(cudaMemcpy(&report_, &level_.control->report, sizeof(Report), cudaMemcpyDeviceToHost),
          "iterating");
  }

  Problem problem_;
  Limits limits_;
  frontier::Level level_{};
  float* rounded_ = nullptr;
  const double* coupling_ = nullptr;
  std::vector<Arena> memory_;
  Start start_ = Start::nothing;
  Report report_{};
  bool launched_ = false;
  int passes_ = 0;
};

__global__ void round_to(float* to, const double* from, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t s = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; s < count; s += stride) {
    to[s] = static_cast<float>(from[s]);
  }
}

template <class Real>
void solve_one(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Limits limits = Limits::of_device();
  constexpr bool rounds = !std::is_same_v<Real, double>;

  const std::optional<ContinuousSolution> continuous = frontier::continuous_start(problem);
  std::vector<int> sizes{problem.nk};
  while (!continuous && sizes.back() > coarsest) {
    sizes.push_back((sizes.back() - 1) / refinement + 1);
  }
  solution.way = continuous ? "continuous" : sizes.size() == 1 ? "exhaustive" : "coarse_to_fine";

  const int most_passes = most_passes_of(problem);
  std::vector<Grid> grids;
  grids.reserve(sizes.size());
  double passes = 0;
  for (; !sizes.empty(); sizes.pop_back()) {
    Problem at = problem;
    at.nk = sizes.back();
    const bool nothing_to_start_from = !continuous && grids.empty();
    const bool finest = sizes.size() == 1;
    Grid& grid = grids.emplace_back(at, limits, continuous ? &*continuous : nullptr,
                                    grids.empty() ? nullptr : &grids.back(), rounds && finest);
    const double weight = static_cast<double>(at.nk) / problem.nk;
    const auto passes_left = [&] {
      return std::clamp(static_cast<int>(most_passes - passes - grid.passes() * weight), 1,
                        most_passes);
    };
    solution.converged = grid.solve(nothing_to_start_from ? Search::divide : Search::climb, true,
                                    finest ? (passes_left() + 1) / 2 : passes_left());
    if (!solution.converged && finest && passes_left() > 1) {
      solution.converged = grid.solve(Search::divide, false, passes_left());
    }
    passes += weight * grid.passes();
  }
  Grid& grid = grids.back();
  if constexpr (rounds) {
    round_to<<<4 * static_cast<unsigned>(limits.multiprocessors), 256>>>(grid.rounded(), grid.V(),
                                                                         problem.states());
    check(cudaGetLastError(), "rounding V");
    check(cudaDeviceSynchronize(), "rounding V");
  }
  solution.iterations =
      std::min(problem.iteration_cap, std::max(1, static_cast<int>(std::ceil(2 * passes - 1))));
  solution.difference = grid.report().residual;
  if (!solution.converged && solution.iterations < problem.iteration_cap) {
    Problem rest = problem;
    rest.iteration_cap -= solution.iterations;
    const int iterations = solution.iterations;
    NoStages none;
    solve_frontier(rest, none, solution);
    solution.iterations += iterations;
    solution.way = "host";
    stages.finish();
    return;
  }
  stages.finish();

  const Real* V = nullptr;
  if constexpr (rounds) {
    V = grid.rounded();
  } else {
    V = grid.V();
  }
  check(cudaMemcpy(solution.V.data(), V, problem.states() * sizeof(Real), cudaMemcpyDeviceToHost),
        "copying V to the host");
  check(cudaMemcpy(solution.policy.data(), grid.policy(), problem.states() * sizeof(std::int32_t),
                   cudaMemcpyDeviceToHost),
        "copying the policy to the host");
}

/// Economies whose inputs are made together, while the GPU solves those before.
constexpr int most_at_once = 2048;

/// Passes of one block, after which all blocks together start again.
constexpr int passes_of_a_block = 32;

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
        at_once_(std::min(problem.economies, most_at_once)),
        blocks_(numerics::blocks_for_economies(frontier::iterate_economies<Real>,
                                               frontier::threads_of_economy, at_once_,
                                               problem.states() * bytes_of_state)),
        V_(working_states()),
        policy_(working_states()),
        error_(2 * working_states()),
        jump_(2 * working_states()),
        levels_(index(at_once_)),
        next_(1),
        reports_(index(at_once_)),
        states_(samples()),
        places_(index(at_once_)),
        sample_(samples() * sample_size(problem)),
        sample_policy_(samples()),
        full_V_(index(kept_in_full(problem).count) * problem.states()),
        full_policy_(full_V_.size()) {}

  /// Starts to solve as many economies from `first` on, at most most_at_once.
  void launch(int first, const std::vector<frontier::Input>& inputs) {
    upload(first, inputs);
    const frontier::Economies economies{.levels = levels_.data(),
                                        .count = static_cast<int>(inputs.size()),
                                        .next = next_.data(),
                                        .V = V_.data(),
                                        .policy = policy_.data(),
                                        .error = error_.data(),
                                        .jump = jump_.data()};
    const Task task{Start::continuous, problem_.tolerance,
                    std::min(passes_of_a_block, (most_passes_of(problem_) + 1) / 2)};
    const frontier::Kept<Real> kept{.reports = reports_.data(),
                                    .states = states_.data(),
                                    .places = places_.data(),
                                    .sample = sample_.data(),
                                    .sample_policy = sample_policy_.data(),
                                    .V = full_V_.data(),
                                    .policy = full_policy_.data()};
    frontier::iterate_economies<Real>
        <<<static_cast<unsigned>(blocks_), frontier::threads_of_economy>>>(economies, task, kept);
    check(cudaGetLastError(), "launching a batch");
  }

  /// Waits for those of the last launch, and puts what is kept of them where it belongs, except
  /// what is kept in full.
  void collect(int first, int count, Solution<Real>& solution) {
    std::vector<Report> reports(index(count));
    check(cudaDeviceSynchronize(), "solving a batch");
    copy_to(reports.data(), reports_.data(), reports.size());
    const std::size_t sample = index(first) * states_per_sample;
    const std::size_t size = sample_size(problem_);
    copy_to(&solution.sample[sample * size], sample_.data(),
            index(count) * states_per_sample * size);
    copy_to(&solution.sample_policy[sample], sample_policy_.data(),
            index(count) * states_per_sample);
    for (std::size_t e = 0; e < reports.size(); ++e) {
      solution.ways[index(first) + e] = "continuous";
      solution.endings[index(first) + e] = {
          .difference = reports[e].residual,
          .iterations = std::min(problem_.iteration_cap, std::max(1, 2 * reports[e].passes - 1)),
          .converged = reports[e].converged};
    }
  }

  void collect_in_full(Solution<Real>& solution) {
    copy_to(solution.V.data(), full_V_.data(), full_V_.size());
    copy_to(solution.policy.data(), full_policy_.data(), full_policy_.size());
  }

 private:
  static constexpr std::size_t bytes_of_state =
      sizeof(double) + sizeof(std::int32_t) + 2 * (sizeof(float) + sizeof(std::int32_t));

  [[nodiscard]] std::size_t working_states() const { return index(blocks_) * problem_.states(); }
  [[nodiscard]] std::size_t samples() const { return index(at_once_) * states_per_sample; }

  void upload(int first, const std::vector<frontier::Input>& inputs) {
    std::vector<double> numbers;
    std::vector<std::size_t> begins;
    for (const frontier::Input& input : inputs) {
      begins.push_back(numbers.size());
      numbers.insert(numbers.end(), input.numbers.begin(), input.numbers.end());
    }
    if (!numbers_ || numbers_->size() < numbers.size()) numbers_.emplace(numbers.size());
    const numerics::KeptInFull full = kept_in_full(problem_);
    std::vector<frontier::Level> levels;
    std::vector<std::int64_t> states;
    std::vector<std::int32_t> places;
    for (std::size_t e = 0; e < inputs.size(); ++e) {
      const int economy = first + static_cast<int>(e);
      levels.push_back(
          level_of(economy_of(problem_, economy), inputs[e], numbers_->data() + begins[e]));
      for (int n = 0; n < states_per_sample; ++n) {
        const State state = sampled_state(problem_, economy, n);
        states.push_back(std::int64_t{state.j} * problem_.nk + state.i);
      }
      places.push_back(full.place(economy));
    }
    const int none_taken = 0;
    copy_to(numbers_->data(), numbers.data(), numbers.size());
    copy_to(levels_.data(), levels.data(), levels.size());
    copy_to(states_.data(), states.data(), states.size());
    copy_to(places_.data(), places.data(), places.size());
    copy_to(next_.data(), &none_taken, 1);
  }

  const Problem& problem_;
  int at_once_;
  int blocks_;
  DeviceBuffer<double> V_;
  DeviceBuffer<std::int32_t> policy_;
  DeviceBuffer<float> error_;
  DeviceBuffer<std::int32_t> jump_;
  std::optional<DeviceBuffer<double>> numbers_;
  DeviceBuffer<frontier::Level> levels_;
  DeviceBuffer<int> next_;
  DeviceBuffer<Report> reports_;
  DeviceBuffer<std::int64_t> states_;
  DeviceBuffer<std::int32_t> places_;
  DeviceBuffer<Real> sample_;
  DeviceBuffer<std::int32_t> sample_policy_;
  DeviceBuffer<Real> full_V_;
  DeviceBuffer<std::int32_t> full_policy_;
};

/// Each economy by one block, from its continuous solution, which host threads find. Those that
/// have none, or that do not come to an end in this way, are solved as single ones are.
template <class Real>
void solve_batch(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("economies");
  Batch<Real> batch(problem);
  int launched = 0;
  for (int first = 0; first < problem.economies; first += launched) {
    const int count = std::min(most_at_once, problem.economies - first);
    const std::vector<frontier::Input> inputs = frontier::inputs_of(problem, first, count);
    if (first > 0) batch.collect(first - launched, launched, solution);
    batch.launch(first, inputs);
    launched = count;
  }
  batch.collect(problem.economies - launched, launched, solution);
  batch.collect_in_full(solution);

  stages.enter("others");
  Solution<Real> one;
  fill_with_poison(economy_of(problem, 0), one);
  for (int economy = 0; economy < problem.economies; ++economy) {
    if (solution.endings[index(economy)].converged != 0) continue;
    NoStages none;
    solve_one(economy_of(problem, economy), none, one);
    keep(problem, economy, one, solution);
  }
  conclude(solution);
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

/// Creates the context, and loads the kernels with it.
void start(const Problem&) {
  check(cudaFree(nullptr), "creating the context");
  Limits::of_device();
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, round_to), "loading a kernel");
  check(cudaFuncGetAttributes(&attributes, frontier::iterate_economies<float>), "loading a kernel");
  check(cudaFuncGetAttributes(&attributes, frontier::iterate_economies<double>),
        "loading a kernel");
}

const RegisterSolver registered{{
    .name = "frontier_cuda",
    .origin = Origin::frontier,
    .summary = "continuous problem first, then policy iteration by pointer jumping in one "
               "cooperative kernel; single precision is double, rounded at the end; of a batch, "
               "an economy in each block",
    .axes = {{"threads"}, {"economies"}, {"draw"}, {"calibrations"}},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .hooks = {.work = work_of_states, .floor = floor_of_states, .unavailable = why_no_such_capital},
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
