#pragma once

// The nodes of a period in CUDA C: the equation of one, and the sums over all of them, which
// blocks add up in a fixed order, so every run gives the same bits. A period has the same launch
// grid on every GPU.
//
// The powers of the paper's utility are taken in logs here: c2 = exp(log a + (gamma_1 / gamma_2)
// log c1). Newton's method is on c1 as everywhere, and a step is relative to c1.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "implementations/beliefs/model.hpp"
#include "implementations/numerics/methods/compensated_sum.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::beliefs {

constexpr unsigned most_threads = 1024;  // per block
constexpr unsigned most_blocks = 8192;   // per period

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

/// Blocks of period t.
MACROBENCH_HOST_DEVICE inline unsigned blocks_of(int t, int block) {
  const std::int64_t enough = (nodes_in_period(t) + block - 1) / block;
  return enough < most_blocks ? static_cast<unsigned>(enough) : most_blocks;
}

/// The sums over the nodes of period t that belong to `block` of `blocks`; thread 0 gets them.
__device__ inline Sums sums_of_nodes(const NodeEquation& equation, int t, unsigned block,
                                     unsigned blocks) {
  numerics::CompensatedSum wealth;
  numerics::CompensatedSum spending;
  std::int64_t newton_iterations = 0;
  const std::int64_t stride = std::int64_t{blocks} * blockDim.x;
  for (std::int64_t i = std::int64_t{block} * blockDim.x + threadIdx.x; i < nodes_in_period(t);
       i += stride) {
    const NodeEquation::Solved node = equation.solve(transitions_of(i, t, equation.starts_low()));
    wealth.add(node.q * node.C);
    spending.add(node.q * node.c2);
    newton_iterations += node.newton_iterations;
  }
  return sum_of_block({wealth.value(), spending.value(), newton_iterations});
}

/// Adds up the blocks' sums of each period, shape T x most_blocks: block t - 1 does period t.
static __global__ void sum_blocks(const Sums* block_sums, int block, Sums* of_period) {
  const int t = static_cast<int>(blockIdx.x) + 1;
  const Sums* its_blocks = block_sums + std::size_t{blockIdx.x} * most_blocks;
  Sums mine;
  for (unsigned b = threadIdx.x; b < blocks_of(t, block); b += blockDim.x) mine.add(its_blocks[b]);
  const Sums sums = sum_of_block(mine);
  if (threadIdx.x == 0) of_period[blockIdx.x] = sums;
}
constexpr unsigned summing_threads = 256;

/// Consumption at histories, one per thread.
static __global__ void solve_histories(const NodeEquation equation, const Transitions* histories,
                                       unsigned count, Consumption* consumption) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const NodeEquation::Solved node = equation.solve(histories[i]);
  consumption[i] = {node.c1, node.c2};
}

/// Writes the sums of the periods 1 .. T, and adds their Newton iterations.
inline void write_sums(const numerics::PinnedBuffer<Sums>& sums, Equilibrium& equilibrium) {
  std::size_t t = 0;
  for (const Sums& period : sums) {
    ++t;
    equilibrium.wealth[t] = period.wealth;
    equilibrium.spending[t] = period.spending;
    equilibrium.newton_iterations += period.newton_iterations;
  }
}

/// Solves the sampled histories once more, after the time has been taken.
inline void solve_sampled(const Problem& problem, const Economy& economy,
                          Equilibrium& equilibrium) {
  equilibrium.nodes = nodes_of_tree(problem.T);
  const numerics::DeviceBuffer<Transitions> histories(sampled_histories(problem));
  numerics::DeviceBuffer<Consumption> sampled(histories.size());
  const auto count = static_cast<unsigned>(histories.size());
  solve_histories<<<(count + 31) / 32, 32>>>(NodeEquation(problem, economy, equilibrium.at_s0),
                                             histories.data(), count, sampled.data());
  numerics::check(cudaGetLastError(), "launching the sampled nodes");
  sampled.download(equilibrium.sampled);
}

}  // namespace macrobench::beliefs
