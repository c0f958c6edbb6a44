// cuda_c on several GPUs, which divide the blocks of each period and exchange the sums of their
// blocks once per pass: so the bits are those of one GPU.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "implementations/beliefs/nodes.cuh"
#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::beliefs::cuda_c {

/// What the GPUs exchange.
inline constexpr double bytes_per_period = most_blocks * sizeof(Sums);

/// Solves the nodes of period t that belong to the blocks from `first` on, of `blocks` in all;
/// block b leaves its sums in block_sums[b].
static __global__ void __launch_bounds__(most_threads)
    solve_blocks(const NodeEquation equation, int t, unsigned first, unsigned blocks,
                 Sums* block_sums) {
  const unsigned block = first + blockIdx.x;
  const Sums sums = sums_of_nodes(equation, t, block, blocks);
  if (threadIdx.x == 0) block_sums[block] = sums;
}

/// What one GPU keeps between passes.
class Worker {
 public:
  Worker(numerics::Device& gpu, const Problem& problem)
      : T_(problem.T),
        block_(problem.block),
        block_sums_(static_cast<std::size_t>(T_) * most_blocks),
        sums_(static_cast<std::size_t>(T_)),
        matrix_(gpu.divide(block_sums_.data(), static_cast<std::size_t>(T_), most_blocks,
                           sizeof(Sums))) {}

  /// Solves this GPU's nodes, and gets the sums of all.
  void solve(numerics::Device& gpu, const NodeEquation& equation) {
    const auto mine_begin = static_cast<unsigned>(gpu.begin(most_blocks));
    const auto mine_end = static_cast<unsigned>(gpu.end(most_blocks));
    for (int t = 1; t <= T_; ++t) {
      const unsigned blocks = blocks_of(t, block_);
      const unsigned end = std::min(mine_end, blocks);
      if (mine_begin >= end) continue;
      solve_blocks<<<end - mine_begin, static_cast<unsigned>(block_)>>>(
          equation, t, mine_begin, blocks,
          block_sums_.data() + static_cast<std::size_t>(t - 1) * most_blocks);
      numerics::check(cudaGetLastError(), "launching a period");
    }
    gpu.exchange(matrix_);
    gpu.wait("solving the nodes");
    gpu.together([] {});  // all have what the others sent
    sum_blocks<<<static_cast<unsigned>(T_), summing_threads>>>(block_sums_.data(), block_,
                                                               sums_.data());
    numerics::check(cudaGetLastError(), "launching the sums");
    gpu.wait("adding up the sums");
  }

  [[nodiscard]] const numerics::PinnedBuffer<Sums>& sums() const { return sums_; }

 private:
  int T_, block_;
  numerics::DeviceBuffer<Sums> block_sums_;  ///< shape T x most_blocks
  numerics::PinnedBuffer<Sums> sums_;        ///< of each period
  numerics::DividedMatrix matrix_;
};

inline void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium,
                  numerics::Devices& devices) {
  using numerics::Device;
  const Economy economy(problem.calibration);
  std::vector<std::optional<Worker>> workers(devices.count());
  devices.each([&](Device& gpu) { workers[gpu.index()].emplace(gpu, problem); });

  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    const NodeEquation equation(problem, economy, at_s0);
    devices.each([&](Device& gpu) { workers[gpu.index()]->solve(gpu, equation); });
    tell_exchange(devices, stages);
    write_sums(workers.front()->sums(), result);
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();
  solve_sampled(problem, economy, equilibrium);
}

}  // namespace macrobench::beliefs::cuda_c

namespace macrobench::beliefs {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([](const numerics::Device&) {
    numerics::load_kernels(cuda_c::solve_blocks, sum_blocks);
  });
  Gpus::connect(problem.gpus);
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, equilibrium, gpus);
}

Floor floor_of_gpus(const Problem& problem, const Outcome& outcome) {
  return floor_of_dividing(problem, outcome, cuda_c::bytes_per_period);
}

const RegisterSolver registered{
    numerics::on_gpus(Solver{.name = "cuda_c_gpus",
                             .origin = Origin::frontier,
                             .summary = "CUDA C, several GPUs divide the nodes of a period",
                             .axes = {horizon_of_a_tree(), {"block"}},
                             .start = start,
                             .solve_double = solve,
                             .hooks = {.floor = floor_of_gpus},
                             .source = __FILE__})};

}  // namespace

}  // namespace macrobench::beliefs
