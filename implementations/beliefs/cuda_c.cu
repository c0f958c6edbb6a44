// Algorithm 2 in CUDA C: threads walk through the nodes of a period, and only sums are stored.
//
// The powers of the paper's utility are taken in logs here: c2 = exp(log a + (gamma_1 / gamma_2)
// log c1). Newton's method is on c1 as everywhere, and a step is relative to c1.
//
// A period has the same launch grid on every GPU. Each block leaves its part of the sums, and a
// second kernel adds up the parts in a fixed order, so every run gives the same bits. Several GPUs
// divide the blocks of each period; the first of them gathers the parts, and so the bits are those
// of one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/compensated_sum.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/numerics/gpus.cuh"

namespace macrobench::beliefs {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::Gpus;
using numerics::PinnedBuffer;
using numerics::Team;

constexpr int most_threads = 1024;  // per block
constexpr int most_blocks = 8192;   // per period

/// The equation of a node for given consumption at s_0, and what is the same for all nodes.
class NodeEquation {
 public:
  NodeEquation(const Problem& problem, const Economy& economy, const Consumption& at_s0)
      : economy_(economy),
        elasticity_(economy.gamma_1 / economy.gamma_2),
        inverse_gamma_2_(1 / economy.gamma_2),
        log_C0_(std::log(economy.C0)),
        log_c1_0_(std::log(at_s0.c1)),
        log_a_(std::log(at_s0.c2) - elasticity_ * log_c1_0_),
        first_(at_s0.c1 / economy.C0),
        log_first_(std::log(first_)),
        tolerance_(problem.newton_tolerance),
        newton_cap_(problem.newton_cap) {}

  struct Solved {
    double c1, c2, C, q;
    int newton_iterations;
  };

  [[nodiscard]] __device__ Solved solve(const Transitions& history) const {
    const double log_C = log_C0_ + economy_.log_growth.sum_over(history);
    const double log_price = economy_.log_price.sum_over(history);
    const double log_a = log_a_ - inverse_gamma_2_ * economy_.log_relative.sum_over(history);

    const double C = exp(log_C);
    double c1 = first_ * C;
    double log_c1 = log_first_ + log_C;
    double step = 1;  // over c1
    int n = 0;
    while (fabs(step) > tolerance_ && n < newton_cap_) {
      const double spent_1 = economy_.mu_1 * c1;
      const double spent_2 = economy_.mu_2 * exp(log_a + elasticity_ * log_c1);
      step = (C - spent_1 - spent_2) / (spent_1 + elasticity_ * spent_2);  // (24)
      if (step <= -1) step = -0.5;
      c1 += c1 * step;
      log_c1 = log(c1);
      ++n;
    }
    if (!(fabs(step) <= tolerance_)) log_c1 = c1 = nan("");
    return {c1, exp(log_a + elasticity_ * log_c1), C,                  // (26)
            exp(log_price - economy_.gamma_1 * (log_c1 - log_c1_0_)),  // (25)
            n};
  }

  [[nodiscard]] __device__ bool starts_low() const { return economy_.starts_low; }

 private:
  Economy economy_;
  double elasticity_;  ///< of c2 to c1: gamma_1 / gamma_2
  double inverse_gamma_2_;
  double log_C0_, log_c1_0_;
  double log_a_;  ///< without what depends on the node
  double first_, log_first_;
  double tolerance_;
  int newton_cap_;
};

struct Sums {
  double wealth = 0;
  double spending = 0;
  std::int64_t newton_iterations = 0;

  __device__ void add(const Sums& other) {
    wealth += other.wealth;
    spending += other.spending;
    newton_iterations += other.newton_iterations;
  }
};

/// The sums over all threads of the block, in a fixed order; thread 0 gets them. Blocks are whole
/// warps.
__device__ Sums sum_of_block(Sums mine) {
  __shared__ Sums of_warp[most_threads / 32];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    mine.add({__shfl_down_sync(0xFFFFFFFF, mine.wealth, offset),
              __shfl_down_sync(0xFFFFFFFF, mine.spending, offset),
              __shfl_down_sync(0xFFFFFFFF, mine.newton_iterations, offset)});
  }
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < blockDim.x / warpSize; ++warp) mine.add(of_warp[warp]);
  }
  return mine;
}

/// Solves the nodes of period t that belong to the blocks from `first` on, of `blocks` in all;
/// block b leaves its part of the sums in parts[b].
__global__ void __launch_bounds__(most_threads)
    solve_period(const NodeEquation equation, int t, unsigned first, unsigned blocks, Sums* parts) {
  numerics::CompensatedSum wealth;
  numerics::CompensatedSum spending;
  std::int64_t newton_iterations = 0;
  const unsigned block = first + blockIdx.x;
  const std::int64_t stride = std::int64_t{blocks} * blockDim.x;
  for (std::int64_t i = std::int64_t{block} * blockDim.x + threadIdx.x; i < nodes_in_period(t);
       i += stride) {
    const NodeEquation::Solved node = equation.solve(transitions_of(i, t, equation.starts_low()));
    wealth.add(node.q * node.C);
    spending.add(node.q * node.c2);
    newton_iterations += node.newton_iterations;
  }
  const Sums part = sum_of_block({wealth.value(), spending.value(), newton_iterations});
  if (threadIdx.x == 0) parts[block] = part;
}

/// Consumption at histories, one per thread.
__global__ void solve_histories(const NodeEquation equation, const Transitions* histories,
                                int count, Consumption* consumption) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const NodeEquation::Solved node = equation.solve(histories[i]);
  consumption[i] = {node.c1, node.c2};
}

/// Blocks of a period.
MACROBENCH_HOST_DEVICE int blocks_of(int t, int block) {
  const std::int64_t enough = (nodes_in_period(t) + block - 1) / block;
  return static_cast<int>(enough < most_blocks ? enough : most_blocks);
}

/// Adds up the blocks' parts of each period: block t - 1 does period t.
__global__ void sum_parts(const Sums* parts, int block, Sums* of_period) {
  const int t = static_cast<int>(blockIdx.x) + 1;
  const Sums* its_parts = parts + std::size_t{blockIdx.x} * most_blocks;
  Sums mine;
  for (int b = static_cast<int>(threadIdx.x); b < blocks_of(t, block);
       b += static_cast<int>(blockDim.x)) {
    mine.add(its_parts[b]);
  }
  const Sums sums = sum_of_block(mine);
  if (threadIdx.x == 0) of_period[blockIdx.x] = sums;
}

/// The blocks of one GPU in one period.
struct Range {
  unsigned first, count, of;

  static Range of_gpu(const Team::Member& gpu, int t, int block) {
    const auto all = static_cast<std::size_t>(blocks_of(t, block));
    const std::size_t first = gpu.begin(all);
    return {static_cast<unsigned>(first), static_cast<unsigned>(gpu.end(all) - first),
            static_cast<unsigned>(all)};
  }
};

/// The parts of each period's sums, on every GPU; each has places for all.
class Parts {
 public:
  explicit Parts(const Problem& problem) : T_(problem.T), block_(problem.block) {
    of_gpu_.resize(static_cast<std::size_t>(problem.gpus));
    Gpus(problem.gpus).each([&](const Team::Member& gpu) {
      of(gpu).emplace(static_cast<std::size_t>(T_) * most_blocks);
    });
  }

  /// Solves this GPU's nodes, and then hands their parts to the first GPU: a copy between two GPUs
  /// waits for what both of them still have to do.
  void solve(const Team::Member& gpu, const NodeEquation& equation) {
    for (int t = 1; t <= T_; ++t) {
      const Range blocks = Range::of_gpu(gpu, t, block_);
      if (blocks.count == 0) continue;
      solve_period<<<blocks.count, static_cast<unsigned>(block_)>>>(
          equation, t, blocks.first, blocks.of, of(gpu)->data() + place(t));
      check(cudaGetLastError(), "launching a period");
    }
    check(cudaDeviceSynchronize(), "solving the nodes");
    if (gpu.is_first()) return;
    for (int t = 1; t <= T_; ++t) {
      const Range blocks = Range::of_gpu(gpu, t, block_);
      const std::size_t first = place(t) + blocks.first;
      check(cudaMemcpyPeerAsync(of_gpu_.front()->data() + first, 0, of(gpu)->data() + first,
                                gpu.index(), blocks.count * sizeof(Sums)),
            "handing sums to the first GPU");
    }
    check(cudaDeviceSynchronize(), "handing sums to the first GPU");
  }

  [[nodiscard]] const Sums* gathered() const { return of_gpu_.front()->data(); }

 private:
  std::optional<DeviceBuffer<Sums>>& of(const Team::Member& gpu) {
    return of_gpu_[static_cast<std::size_t>(gpu.index())];
  }

  /// Where a period's parts begin.
  [[nodiscard]] static std::size_t place(int t) {
    return static_cast<std::size_t>(t - 1) * most_blocks;
  }

  int T_, block_;
  std::vector<std::optional<DeviceBuffer<Sums>>> of_gpu_;
};

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  constexpr unsigned summing_threads = 256;
  const Economy economy(problem.calibration);
  Parts parts(problem);
  PinnedBuffer<Sums> sums(static_cast<std::size_t>(problem.T));

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const NodeEquation equation(problem, economy, at_s0);
    Gpus(problem.gpus).each([&](const Team::Member& gpu) { parts.solve(gpu, equation); });
    sum_parts<<<static_cast<unsigned>(problem.T), summing_threads>>>(parts.gathered(),
                                                                     problem.block, sums.data());
    check(cudaGetLastError(), "launching the sums");
    check(cudaDeviceSynchronize(), "adding up the sums");
    std::size_t t = 0;
    for (const Sums& period : sums) {
      ++t;
      result.wealth[t] = period.wealth;
      result.spending[t] = period.spending;
      result.newton_iterations += period.newton_iterations;
    }
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();

  equilibrium.nodes = nodes_of_tree(problem.T);
  const DeviceBuffer<Transitions> histories(sampled_histories(problem));
  DeviceBuffer<Consumption> sampled(histories.size());
  const auto count = static_cast<unsigned>(histories.size());
  solve_histories<<<(count + 31) / 32, 32>>>(NodeEquation(problem, economy, equilibrium.at_s0),
                                             histories.data(), static_cast<int>(count),
                                             sampled.data());
  check(cudaGetLastError(), "launching the sampled nodes");
  sampled.download(equilibrium.sampled);
}

/// Creates the context, and loads the kernels with it, as CUDA did when the paper timed it. Now it
/// delays that until a kernel's first launch.
void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const Team::Member&) {
    check(cudaFree(nullptr), "creating the context");
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, solve_period), "loading a kernel");
    check(cudaFuncGetAttributes(&attributes, sum_parts), "loading a kernel");
    numerics::reach_peers(problem.gpus);
  });
}

const RegisterSolver registered{{
    .name = "cuda_c",
    .origin = Origin::published,
    .summary = "CUDA C, threads walk through the nodes of a period",
    .axes = {horizon_of_a_tree(), {"block"}, {.name = "gpus", .all = numerics::visible_gpus}},
    .runs_on = RunsOn::gpu,
    .unavailable = numerics::no_gpu_here,
    .problem_unavailable = numerics::too_few_gpus<Problem>,
    .start = start,
    .solve_double = solve,
    .floor = floor_of_newton,
    .source = __FILE__,
}};

}  // namespace

}  // namespace macrobench::beliefs
