// Value function iteration in CUDA C: cuda_c.cu's one thread per state, but capital runs fastest in
// its arrays, so that neighboring threads read neighboring numbers; the block size is a parameter;
// and the norm is one kernel, whose result the host need not fetch by a copy.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "harness/model/stages.hpp"
#include "implementations/rbc/corrected/state_kernels.cuh"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc {

namespace {

using namespace cuda_c;

template <class Real, Maximizer maximizer>
void iterate(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  const Grids<Real> grids = make_grids<Real>(problem);
  const DeviceGrids<DeviceBuffer<Real>> on_gpu(grids);
  DeviceBuffer<Real> at_start(start_at_every_state(problem, grids));
  DeviceBuffer<Real> other(problem.states());
  DeviceBuffer<std::int32_t> policy(problem.states());
  PinnedBuffer<Bits<Real>> block_maxima(norm_blocks);

  auto bellman = bellman_of<Real, maximizer>(problem, on_gpu);
  const auto block = static_cast<unsigned>(problem.block);
  const dim3 blocks((static_cast<unsigned>(problem.nk) + block - 1) / block,
                    static_cast<unsigned>(problem.nz));
  int iterations = 0;
  Real difference = 0;
  bool converged = false;
  for (int k = 0; k < problem.iteration_cap && !converged; ++k) {
    const DeviceBuffer<Real>& V0 = k % 2 == 0 ? at_start : other;  // V0 = V
    DeviceBuffer<Real>& V = k % 2 == 0 ? other : at_start;
    bellman.V0 = V0.data();
    if (maximizer == Maximizer::bisection || maximize_now(k)) {
      maximize<<<blocks, block>>>(bellman, 0, problem.nk, V.data(), policy.data());
    } else {
      evaluate<<<blocks, block>>>(bellman, 0, problem.nk, V.data(), policy.data());
    }
    check(cudaGetLastError(), "launching one thread per state");
    max_norm<<<norm_blocks, norm_threads>>>(V.data(), V0.data(), problem.states(), problem.states(),
                                            block_maxima.data());
    check(cudaGetLastError(), "launching the norm");
    check(cudaDeviceSynchronize(), "iterating on the value function");
    difference = std::bit_cast<Real>(*std::max_element(block_maxima.begin(), block_maxima.end()));
    iterations = k + 1;
    converged = difference < problem.tolerance;
  }
  stages.finish();

  solution.iterations = iterations;
  solution.difference = difference;
  solution.converged = converged;
  (iterations % 2 == 0 ? at_start : other).download(solution.V);
  policy.download(solution.policy);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate<Real, maximizer>(problem, stages, solution);
  });
}

const RegisterSolver registered{numerics::on_gpu(
    Solver{.name = "cuda_c_coalesced",
           .origin = Origin::corrected,
           .summary = "cuda_c with capital fastest, any block and a norm of one kernel",
           .axes = {published_maximizers, {"block"}},
           .start = start,
           .solve_single = solve<float>,
           .solve_double = solve<double>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
