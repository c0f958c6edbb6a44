// The best program that we know on one GPU. Write V = Vc + D: Vc solves the continuous problem, on
// the host, at a cost that does not depend on nk; D is the cost of rounding capital to the grid. On
// a fine grid, D moves V by less than the tolerance, and one application of the Bellman operator to
// Vc on the device is enough. A coarser grid needs a few policy iterations (frontier_kernel.cuh).
// If there is no Vc, the grids go from coarse to fine.
//
// In both cases the last application is exhaustive, and its residual is the solver's own
// certificate. Where that does not converge, the way is "host": frontier.cpp solves the rest.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "implementations/numerics/chebyshev.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/rbc/continuous.hpp"
#include "implementations/rbc/frontier.hpp"
#include "implementations/rbc/frontier_kernel.cuh"
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

/// Above this many productivities the dense systems of solve_continuous cost more than they save.
constexpr int most_continuous = 12;

/// The first grid if there is nothing to start from, and the factor from each grid to the next.
constexpr int coarsest = 64;
constexpr int refinement = 8;

/// The coupling is weak while less than this share of an error comes back from the other
/// productivities.
constexpr double weak_coupling = 0.5;

/// Where the rounding of resources can change utility by more than this share of the tolerance, two
/// processors' powers, each good to a unit in its last place, pose two problems whose solutions are
/// further apart than the tolerance. Then K^alpha comes from the host. (Impatient, very risk-averse
/// households, who consume little: gamma = 12 and beta = .4, for example.)
constexpr double of_resources = 0.02;

/// Passes after which the host takes over. Few calibrations need that: those in which households
/// that are all but infinitely patient stay at each of many levels of capital for a long time,
/// whatever their productivity. Only linear algebra that has no parallel form here is quick then.
constexpr int patience = 500;

/// A pass evaluates the policy until only this fraction of the error is left.
constexpr double left_over = 0.01;

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

/// Half the range of T V - V to be expected of the continuous V: choosing a grid point at most half
/// a step away costs up to curvature (step / 2)^2, and some state is that far away.
double expected_residual(const ContinuousSolution& continuous, double step) {
  double curvature = 0;
  for (int j = 0; j < continuous.nz; ++j) {
    for (const double t : {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0}) {
      curvature = std::max(
          curvature, numerics::chebyshev_value(&continuous.curvature[index(j * continuous.size)],
                                               continuous.size, t));
    }
  }
  return curvature * step * step / 8;
}

/// Arrays that go to the device in one piece, and the pointers to where they are there.
class Constants {
 public:
  /// `where` is set by upload().
  template <class T>
  void add(const std::vector<double>& values, T*& where) {
    places_.push_back(
        [at = numbers_.size(), &where](double* all) { where = reinterpret_cast<T*>(all + at); });
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

  void upload(double* to) const {
    check(cudaMemcpyAsync(to, numbers_.data(), numbers_.size() * sizeof(double),
                          cudaMemcpyHostToDevice),
          "copying to the device");
    for (const auto& place : places_) place(to);
  }

 private:
  std::vector<double> numbers_;
  std::vector<std::function<void(double*)>> places_;
};

/// One capital grid on the device.
class Grid {
 public:
  /// Starts from `continuous`, from the grid `coarser`, or from nothing where both are null.
  Grid(const Problem& problem, const Limits& limits, const ContinuousSolution* continuous,
       const Grid* coarser, bool room_to_round)
      : problem_(problem), limits_(limits) {
    const CapitalRange range = capital_range(problem);
    const double step = (range.high - range.low) / (problem.nk - 1);
    Constants constants;
    add_economy(range, step, constants);
    bool in_one_pass = false;
    if (continuous != nullptr) {
      const double residual = expected_residual(*continuous, step);
      start_from(*continuous, residual, constants);
      in_one_pass = residual <= (1 - of_resources) * problem.tolerance;
    } else if (coarser != nullptr) {
      start_from(*coarser);
    }
    constants.add(std::vector<double>(control_size), level_.control);
    level_.in_shared = frontier::shared_bytes(problem.nk) <= index(limits.shared_bytes);
    take_memory(constants, room_to_round, !in_one_pass);
  }

  /// Iterates for at most that many passes, and continues where the last call stopped. False if
  /// there is more to do. Without the constants of `coupled` it converges for sure, if slowly.
  bool solve(Search search, bool coupled, int passes) {
    level_.coupling = coupled ? coupling_ : nullptr;
    if (search == Search::divide || problem_.nz > 8) make_room_for_expected();
    while (passes > 0) {
      const bool has_room = level_.error != nullptr;
      launch(kernel_of(search),
             {start_, (1 - of_resources) * problem_.tolerance, has_room ? passes : 1});
      start_ = Start::as_it_is;
      passes -= report_.passes;
      passes_ += report_.passes;
      if (report_.converged != 0 && level_.economy.output == nullptr &&
          !(report_.rounding <= of_resources * problem_.tolerance)) {
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
  static constexpr std::size_t control_size =
      (sizeof(frontier::Control) + sizeof(double) - 1) / sizeof(double);
  static constexpr std::size_t error_bytes = 2 * (sizeof(float) + sizeof(std::int32_t));

  void add_economy(const CapitalRange& range, double step, Constants& constants) {
    Problem ends = problem_;
    ends.nk = 2;
    const Grids<double> grids = make_grids<double>(ends);
    const Calibration& c = problem_.calibration;
    if (!(resources(range.low, grids.Z.front(), c.alpha, c.delta) >= range.low)) {
      throw std::invalid_argument("a state of the grid has no feasible choice");
    }
    level_.economy = {.alpha = c.alpha,
                      .beta = c.beta,
                      .gamma = c.gamma,
                      .delta = c.delta,
                      .low = range.low,
                      .step = step,
                      .nk = problem_.nk,
                      .nz = problem_.nz,
                      .Z = nullptr,
                      .betaP = nullptr,
                      .output = nullptr};
    constants.add(grids.Z, level_.economy.Z);
    std::vector<double> betaP = grids.P;
    for (double& p : betaP) p *= c.beta;
    constants.add(betaP, level_.economy.betaP);

    std::vector<float> discount = discounts(betaP);
    level_.doublings = static_cast<int>(discount.size() / index(problem_.nz));
    discount.resize((discount.size() + 1) / 2 * 2);
    std::vector<double> packed(discount.size() / 2);
    std::memcpy(packed.data(), discount.data(), discount.size() * sizeof(float));
    constants.add(packed, level_.discount);

    const std::vector<double> resolvent = resolvent_of(betaP);
    if (resolvent.empty()) return;
    constants.add(resolvent, level_.resolvent);
    constants.add(coupling_of(betaP, resolvent), coupling_);
    constants.add(std::vector<double>(index(problem_.nz)), level_.means);
  }

  void start_from(const ContinuousSolution& continuous, double residual, Constants& constants) {
    start_ = Start::continuous;
    constants.add(continuous.V, level_.series);
    constants.add(continuous.policy, level_.series_policy);
    level_.terms = continuous.size;
    level_.shift = -residual / (1 - problem_.calibration.beta);
  }

  void start_from(const Grid& coarser) {
    start_ = Start::coarser;
    level_.coarse_V = coarser.level_.V;
    level_.coarse_policy = coarser.level_.policy;
    level_.coarse_nk = coarser.problem_.nk;
  }

  void take_memory(const Constants& constants, bool room_to_round, bool room_for_error) {
    const std::size_t states = problem_.states();
    Arena& arena = memory_.emplace_back(states * (sizeof(double) + sizeof(std::int32_t) +
                                                  (room_to_round ? sizeof(float) : 0) +
                                                  (room_for_error ? error_bytes : 0)) +
                                        constants.size() * sizeof(double) + 8 * Arena::rounded(1));
    level_.V = arena.take<double>(states);
    level_.policy = arena.take<std::int32_t>(states);
    if (room_to_round) rounded_ = arena.take<float>(states);
    if (room_for_error) take_error(arena);
    constants.upload(arena.take<double>(constants.size()));
  }

  /// (beta P(j,j))^(2^k), until no more than left_over is left of any; shape doublings x nz.
  [[nodiscard]] std::vector<float> discounts(const std::vector<double>& betaP) const {
    const int nz = problem_.nz;
    std::vector<double> powers(index(nz));
    for (int j = 0; j < nz; ++j) powers[index(j)] = betaP[index(j * nz + j)];
    std::vector<float> discounts;
    do {
      discounts.insert(discounts.end(), powers.begin(), powers.end());
      for (double& power : powers) power *= power;
    } while (*std::max_element(powers.begin(), powers.end()) > left_over);
    return discounts;
  }

  /// (I - beta P)^-1, shape nz x nz; nothing where the coupling is weak.
  [[nodiscard]] std::vector<double> resolvent_of(const std::vector<double>& betaP) const {
    const std::size_t n = index(problem_.nz);
    double weakest = 1;
    for (std::size_t j = 0; j < n; ++j) weakest = std::min(weakest, betaP[j * n + j]);
    if (problem_.calibration.beta - weakest < weak_coupling * (1 - weakest)) return {};

    // Gauss and Jordan, in place; strictly diagonally dominant, so that no pivot is sought.
    std::vector<double> A(n * n);
    for (std::size_t k = 0; k < n * n; ++k) A[k] = (k % (n + 1) == 0 ? 1 : 0) - betaP[k];
    for (std::size_t k = 0; k < n; ++k) {
      const double inverse = 1 / A[k * n + k];
      A[k * n + k] = 1;
      for (std::size_t m = 0; m < n; ++m) A[k * n + m] *= inverse;
      for (std::size_t j = 0; j < n; ++j) {
        if (j == k) continue;
        const double factor = A[j * n + k];
        A[j * n + k] = 0;
        for (std::size_t m = 0; m < n; ++m) A[j * n + m] -= factor * A[k * n + m];
      }
    }
    return A;
  }

  /// resolvent x beta (P - diag P).
  [[nodiscard]] std::vector<double> coupling_of(const std::vector<double>& betaP,
                                                const std::vector<double>& resolvent) const {
    const std::size_t n = resolvent.empty() ? 0 : index(problem_.nz);
    std::vector<double> C(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t m = 0; m < n; ++m) {
        for (std::size_t l = 0; l < n; ++l) {
          if (l != m) C[j * n + l] += resolvent[j * n + m] * betaP[m * n + l];
        }
      }
    }
    return C;
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
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Limits limits = Limits::of_device();
  constexpr bool rounds = !std::is_same_v<Real, double>;

  std::optional<ContinuousSolution> continuous;
  if (problem.nz <= most_continuous) continuous = solve_continuous(problem);
  std::vector<int> sizes{problem.nk};
  while (!continuous && sizes.back() > coarsest) {
    sizes.push_back((sizes.back() - 1) / refinement + 1);
  }
  solution.way = continuous ? "continuous" : sizes.size() == 1 ? "exhaustive" : "coarse_to_fine";

  // A pass improves the policy and evaluates it: two iterations, except for the last pass.
  const int most_passes = std::clamp((problem.iteration_cap + 1) / 2, 1, patience);
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
    solve_frontier(rest, stages, solution);
    solution.iterations += iterations;
    solution.way = "host";
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

/// Creates the context, and loads the kernels with it.
void start(const Problem&) {
  check(cudaFree(nullptr), "creating the context");
  Limits::of_device();
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, round_to), "loading a kernel");
}

const RegisterSolver registered{{
    .name = "frontier_cuda",
    .origin = Origin::frontier,
    .summary = "continuous problem first, then policy iteration by pointer jumping in one "
               "cooperative kernel; single precision is double, rounded at the end",
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .work = work_of_states,
    .floor = floor_of_states,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::rbc
