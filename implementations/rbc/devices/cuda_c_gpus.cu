// CUDA C on several GPUs that divide the capital grid: the kernels of cuda_c_coalesced.cu on the
// share of each.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/numerics/parallel/gpus.cuh"
#include "implementations/rbc/corrected/state_kernels.cuh"
#include "implementations/rbc/devices/divided.hpp"
#include "implementations/rbc/solver.hpp"

namespace macrobench::rbc::cuda_c {

template <class Real, Maximizer maximizer>
class Share {
 public:
  Share(const Problem& problem, std::size_t first, std::size_t end)
      : Share(problem, first, end, make_grids<Real>(problem)) {}

  Real* values(int which) { return values_[static_cast<std::size_t>(which)].data(); }

  void iterate(int k) {
    Real* const V = values((k + 1) % 2);
    bellman_.V0 = values(k % 2);
    const auto rows = static_cast<unsigned>(bellman_.nz);
    if (count_ > 0) {
      const auto first = static_cast<int>(first_);
      const int end = first + static_cast<int>(count_);
      const dim3 blocks((static_cast<unsigned>(count_) + block_ - 1) / block_, rows);
      if (maximizer == Maximizer::bisection || maximize_now(k)) {
        maximize<<<blocks, block_>>>(bellman_, first, end, V, policy_.data());
      } else {
        evaluate<<<blocks, block_>>>(bellman_, first, end, V, policy_.data());
      }
      check(cudaGetLastError(), "launching one thread per state");
    }
    max_norm<<<dim3(norm_blocks, rows), norm_threads>>>(V + first_, bellman_.V0 + first_, count_,
                                                        row_, block_maxima_.data());
    check(cudaGetLastError(), "launching the norm");
  }

  Real difference() {
    return std::bit_cast<Real>(*std::max_element(block_maxima_.begin(), block_maxima_.end()));
  }

  void download_values(int which, std::vector<Real>& V) const {
    values_[static_cast<std::size_t>(which)].download(V);
  }

  void download_policy(std::vector<std::int32_t>& policy) const {
    if (count_ == 0) return;
    constexpr std::size_t size = sizeof(std::int32_t);
    check(
        cudaMemcpy2D(policy.data() + first_, row_ * size, policy_.data() + first_, row_ * size,
                     count_ * size, static_cast<std::size_t>(bellman_.nz), cudaMemcpyDeviceToHost),
        "copying the policy to the host");
  }

 private:
  Share(const Problem& problem, std::size_t first, std::size_t end, const Grids<Real>& grids)
      : first_(first),
        count_(end - first),
        row_(static_cast<std::size_t>(problem.nk)),
        block_(static_cast<unsigned>(problem.block)),
        grids_(grids),
        values_{DeviceBuffer<Real>(start_at_every_state(problem, grids)),
                DeviceBuffer<Real>(problem.states())},
        policy_(problem.states()),
        block_maxima_(norm_blocks * static_cast<std::size_t>(problem.nz)),
        bellman_(bellman_of<Real, maximizer>(problem, grids_)) {}

  std::size_t first_, count_, row_;
  unsigned block_;
  DeviceGrids<DeviceBuffer<Real>> grids_;
  std::array<DeviceBuffer<Real>, 2> values_;  ///< take turns
  DeviceBuffer<std::int32_t> policy_;
  PinnedBuffer<Bits<Real>> block_maxima_;
  RightHandSide<Real, maximizer> bellman_;
};

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution,
           numerics::Devices& gpus) {
  with_published(problem.maximizer, [&]<Maximizer maximizer>() {
    iterate_divided<Real, Share<Real, maximizer>>(problem, stages, solution, gpus);
  });
}

}  // namespace macrobench::rbc::cuda_c

namespace macrobench::rbc {

namespace {

using numerics::Gpus;

void start(const Problem& problem) {
  Gpus(problem.gpus).each([&](const numerics::Device&) { cuda_c::start(problem); });
  Gpus::connect(problem.gpus);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  Gpus gpus(problem.gpus);
  cuda_c::solve(problem, stages, solution, gpus);
}

const RegisterSolver registered{numerics::on_gpus(
    Solver{.name = "cuda_c_gpus",
           .origin = Origin::frontier,
           .summary = "CUDA C, several GPUs divide capital",
           .axes = {published_maximizers, {"block"}},
           .start = start,
           .solve_single = solve<float>,
           .solve_double = solve<double>,
           .hooks = {.floor = floor_of_search, .known_invalid = known_invalid_in_single},
           .source = __FILE__})};

}  // namespace

}  // namespace macrobench::rbc
