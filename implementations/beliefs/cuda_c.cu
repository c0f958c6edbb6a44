// Algorithm 2 in CUDA C: threads walk through the nodes of a period, and only sums are stored. The
// equation of a node is in nodes.cuh.

#include <cstddef>

#include "implementations/beliefs/nodes.cuh"
#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::beliefs {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

/// Solves the nodes of period t; each block leaves its sums.
__global__ void __launch_bounds__(most_threads)
    solve_period(const NodeEquation equation, int t, Sums* block_sums) {
  const Sums sums = sums_of_nodes(equation, t, blockIdx.x, gridDim.x);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sums;
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);
  const auto periods = static_cast<unsigned>(problem.T);
  const auto block = static_cast<unsigned>(problem.block);
  DeviceBuffer<Sums> block_sums(std::size_t{periods} * most_blocks);
  PinnedBuffer<Sums> sums(periods);

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const NodeEquation equation(problem, economy, at_s0);
    Sums* its_blocks = block_sums.data();
    for (int t = 1; t <= problem.T; ++t, its_blocks += most_blocks) {
      solve_period<<<blocks_of(t, problem.block), block>>>(equation, t, its_blocks);
      check(cudaGetLastError(), "launching a period");
    }
    sum_blocks<<<periods, summing_threads>>>(block_sums.data(), problem.block, sums.data());
    check(cudaGetLastError(), "launching the sums");
    check(cudaDeviceSynchronize(), "solving the nodes");
    write_sums(sums, result);
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();
  solve_sampled(problem, economy, equilibrium);
}

void start(const Problem& /*problem*/) {
  numerics::load_kernels(solve_period, sum_blocks);
}

const RegisterSolver registered{
    numerics::on_gpu(Solver{.name = "cuda_c",
                            .origin = Origin::published,
                            .summary = "CUDA C, threads walk through the nodes of a period",
                            .axes = {horizon_of_a_tree(), {"block"}},
                            .start = start,
                            .solve_double = solve,
                            .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
