#pragma once

// Algorithm 2 in CUDA C: threads walk through the nodes of a period, and only sums are stored.
//
// The powers of the paper's utility are taken in logs here: c2 = exp(log a + (gamma_1 / gamma_2)
// log c1). Newton's method is on c1 as everywhere, and a step is relative to c1.
//
// A period has the same launch grid on every GPU. Each block leaves its part of the sums, and a
// second kernel adds up the parts in a fixed order, so every run gives the same bits. Several GPUs,
// `devices`, divide the blocks of each period, and exchange the parts once per pass: so the bits
// are those of one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/numerics/compensated_sum.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/numerics/devices.hpp"

namespace macrobench::beliefs::cuda_c {

using numerics::check;
using numerics::Device;
using numerics::DeviceBuffer;
using numerics::Devices;
using numerics::DividedMatrix;
using numerics::PinnedBuffer;

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
__device__ inline Sums sum_of_block(Sums mine) {
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
static __global__ void __launch_bounds__(most_threads)
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
static __global__ void solve_histories(const NodeEquation equation, const Transitions* histories,
                                       int count, Consumption* consumption) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const NodeEquation::Solved node = equation.solve(histories[i]);
  consumption[i] = {node.c1, node.c2};
}

/// Blocks of a period.
MACROBENCH_HOST_DEVICE inline int blocks_of(int t, int block) {
  const std::int64_t enough = (nodes_in_period(t) + block - 1) / block;
  return static_cast<int>(enough < most_blocks ? enough : most_blocks);
}

/// Adds up the blocks' parts of each period: block t - 1 does period t.
static __global__ void sum_parts(const Sums* parts, int block, Sums* of_period) {
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

/// What several GPUs exchange.
inline constexpr double bytes_per_period = most_blocks * sizeof(Sums);

/// What one GPU keeps between passes.
class Worker {
 public:
  Worker(Device& gpu, const Problem& problem)
      : T_(problem.T),
        block_(problem.block),
        parts_(static_cast<std::size_t>(T_) * most_blocks),
        sums_(static_cast<std::size_t>(T_)),
        matrix_(
            gpu.divide(parts_.data(), static_cast<std::size_t>(T_), most_blocks, sizeof(Sums))) {}

  /// Solves this GPU's nodes, and gets the sums of all.
  void solve(Device& gpu, const NodeEquation& equation) {
    constexpr unsigned summing_threads = 256;
    const auto mine_begin = static_cast<unsigned>(gpu.begin(most_blocks));
    const auto mine_end = static_cast<unsigned>(gpu.end(most_blocks));
    for (int t = 1; t <= T_; ++t) {
      const auto blocks = static_cast<unsigned>(blocks_of(t, block_));
      const unsigned end = std::min(mine_end, blocks);
      if (mine_begin >= end) continue;
      solve_period<<<end - mine_begin, static_cast<unsigned>(block_)>>>(
          equation, t, mine_begin, blocks,
          parts_.data() + static_cast<std::size_t>(t - 1) * most_blocks);
      check(cudaGetLastError(), "launching a period");
    }
    gpu.exchange(matrix_);
    gpu.wait("solving the nodes");
    gpu.together([] {});  // all have what the others sent
    sum_parts<<<static_cast<unsigned>(T_), summing_threads>>>(parts_.data(), block_, sums_.data());
    check(cudaGetLastError(), "launching the sums");
    gpu.wait("adding up the sums");
  }

  [[nodiscard]] const PinnedBuffer<Sums>& sums() const { return sums_; }

 private:
  int T_, block_;
  DeviceBuffer<Sums> parts_;  ///< shape T x most_blocks
  PinnedBuffer<Sums> sums_;   ///< of each period
  DividedMatrix matrix_;
};

inline void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                  Devices& devices) {
  const Economy economy(problem.calibration);
  std::vector<std::optional<Worker>> workers(devices.here());
  devices.each([&](Device& gpu) { workers[gpu.slot()].emplace(gpu, problem); });

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const NodeEquation equation(problem, economy, at_s0);
    devices.each([&](Device& gpu) { workers[gpu.slot()]->solve(gpu, equation); });
    tell_exchange(devices, stages);
    std::size_t t = 0;
    for (const Sums& period : workers.front()->sums()) {
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
inline void start(Devices& devices) {
  devices.each([](const Device&) {
    check(cudaFree(nullptr), "creating the context");
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, solve_period), "loading a kernel");
    check(cudaFuncGetAttributes(&attributes, sum_parts), "loading a kernel");
  });
}

}  // namespace macrobench::beliefs::cuda_c
