// The method of egm.cpp on one GPU: a block finds a policy, so that many economies' are found at
// once. What a block does is in egm_block.hpp, where a test runs it on the host.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/policy/egm.hpp"
#include "implementations/krusell_smith/policy/egm_block.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::krusell_smith {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::NotAKnotSpline;
using numerics::PinnedBuffer;

constexpr int warp = 32;
constexpr int threads = 512;  // per block
constexpr int warps = threads / warp;
constexpr unsigned all_lanes = 0xFFFFFFFF;

struct BlockThreads {
  __device__ static int index() { return static_cast<int>(threadIdx.x); }
  __device__ static int count() { return threads; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x % warp); }
  __device__ static int lanes() { return warp; }
  __device__ static void sync() { __syncthreads(); }

  /// Numbers that are not negative have the order of their bits, and NaN is the largest.
  __device__ static double largest(double mine) {
    __shared__ unsigned long long of_warp[warps];
    auto bits = static_cast<unsigned long long>(__double_as_longlong(mine));
    for (int offset = warp / 2; offset > 0; offset /= 2) {
      bits = max(bits, __shfl_xor_sync(all_lanes, bits, offset));
    }
    if (threadIdx.x % warp == 0) of_warp[threadIdx.x / warp] = bits;
    __syncthreads();
    bits = 0;
    for (int w = 0; w < warps; ++w) bits = max(bits, of_warp[w]);
    __syncthreads();
    return __longlong_as_double(static_cast<long long>(bits));
  }

  template <int count>
  __device__ static void add(double (&values)[count]) {
    __shared__ double of_warp[count][warps];
    __shared__ double total[count];
#pragma unroll
    for (int n = 0; n < count; ++n) {
      for (int offset = warp / 2; offset > 0; offset /= 2) {
        values[n] += __shfl_xor_sync(all_lanes, values[n], offset);
      }
      if (threadIdx.x % warp == 0) of_warp[n][threadIdx.x / warp] = values[n];
    }
    __syncthreads();
    if (threadIdx.x < count) {
      double sum = 0;
      for (int w = 0; w < warps; ++w) sum += of_warp[threadIdx.x][w];
      total[threadIdx.x] = sum;
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < count; ++n) values[n] = total[n];
  }
};

/// Each block finds one policy after the other, until none is left. Of `all`, the arrays are of all
/// policies, or economies, or blocks; `scratch_size` is of a block.
__global__ void __launch_bounds__(threads)
    find_policies(const PolicyToFind* tasks, int count, int* next, const PolicyData all,
                  std::size_t scratch_size, int* iterations) {
  extern __shared__ double lines[];
  __shared__ int now;
  __shared__ __align__(alignof(PolicyToFind)) unsigned char copy[sizeof(PolicyToFind)];
  const auto& task = *reinterpret_cast<const PolicyToFind*>(copy);
  BlockThreads block;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) {
      now = atomicAdd(next, 1);
      if (now < count) std::memcpy(copy, tasks + now, sizeof copy);
    }
    __syncthreads();
    if (now >= count) return;
    const std::ptrdiff_t pairs = 2 * task.grids.n_K;
    const std::ptrdiff_t nodes =
        static_cast<std::ptrdiff_t>(states) * task.grids.n_K * task.grids.n_k;
    const PolicyData data = {.in_k = all.in_k,
                             .in_K = all.in_K + std::ptrdiff_t{5} * task.grids.n_K * task.number,
                             .tomorrow = all.tomorrow + pairs * now,
                             .today = all.today + pairs * task.number,
                             .policy = all.policy + nodes * now,
                             .scratch = all.scratch + blockIdx.x * scratch_size,
                             .lines = lines,
                             .room = all.room};
    const int taken = EgmBlock<BlockThreads>(task, data, block).solve();
    if (threadIdx.x == 0) iterations[now] = taken;
  }
}

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking what the device can do");
  return value;
}

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// The constants of all economies' splines in K, one after the other.
std::vector<double> splines_in_K(std::span<const NotAKnotSpline> splines) {
  std::vector<double> all;
  for (const NotAKnotSpline& spline : splines) {
    const std::vector<double> its = SplineView::constants_of(spline);
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

class EgmOnDevice final : public Policies {
 public:
  explicit EgmOnDevice(std::span<const Problem> economies)
      : nodes_(economies.front().grids.size()),
        pairs_(2 * economies.front().grids.n_K),
        slots_(std::max(trials_of_one, static_cast<int>(economies.size()))),
        in_k_(SplineView::constants_of(NotAKnotSpline(k_points(economies.front().grids)))),
        in_K_(0),
        today_(0),
        tasks_(size(slots_)),
        tomorrow_(size(slots_ * pairs_)),
        policies_(size(slots_) * nodes_),
        iterations_(size(slots_)),
        next_(1),
        scratch_(0),
        staged_(size(slots_) * nodes_) {
    std::vector<NotAKnotSpline> splines;
    std::vector<Prices> today;
    for (const Problem& problem : economies) {
      splines.emplace_back(K_points(problem.grids));
      const std::vector<Prices> its =
          EulerMap::today_of(Economy(problem.calibration), problem.grids);
      today.insert(today.end(), its.begin(), its.end());
      economies_.push_back({.problem = problem,
                            .economy = Economy(problem.calibration),
                            .in_K = splines.back(),
                            .aim = Aim(problem.policy_tolerance),
                            .most_iterations = problem.policy_cap});
    }
    in_K_ = DeviceBuffer<double>(splines_in_K(splines));
    today_ = DeviceBuffer<Prices>(today);
    choose_blocks(economies.front().grids.n_k);
  }

  void improve(std::span<Trial* const> trials) override {
    for (std::size_t first = 0; first < trials.size(); first += size(slots_)) {
      improve_together(trials.subspan(first, std::min(size(slots_), trials.size() - first)));
    }
  }

  void settle_for(int economy, double accuracy, int most_iterations) override {
    Known& its = economies_[size(economy)];
    its.settled_for = accuracy;
    its.most_iterations = std::min(most_iterations, its.problem.policy_cap);
  }
  [[nodiscard]] bool is_exact(int economy) const override {
    return economies_[size(economy)].aim.is_exact();
  }

 private:
  struct Known {
    Problem problem;
    Economy economy;
    NotAKnotSpline in_K;
    Aim aim;
    int most_iterations;
    double settled_for = 0;
  };

  /// As many as there are slots.
  void improve_together(std::span<Trial* const> trials) {
    std::vector<PolicyToFind> tasks;
    std::vector<EulerMap::Tomorrow> tomorrow;
    for (std::size_t slot = 0; slot < trials.size(); ++slot) {
      const Trial& trial = *trials[slot];
      Known& its = economies_[size(trial.economy)];
      const Problem& problem = its.problem;
      const int endogenous = its.aim.is_first() ? endogenous_steps : 0;
      its.aim.set(trial.law, its.settled_for);
      const std::vector<EulerMap::Tomorrow> its_tomorrow =
          EulerMap::tomorrow_under(trial.law, its.economy, problem.grids, its.in_K);
      tomorrow.insert(tomorrow.end(), its_tomorrow.begin(), its_tomorrow.end());
      std::ranges::copy(trial.policy, staged_.begin() + slot * nodes_);
      tasks.push_back({.economy = its.economy,
                       .grids = problem.grids,
                       .splines = problem.policy_interpolation == PolicyInterpolation::spline,
                       .endogenous = endogenous,
                       .aim = its.aim.is(),
                       .damping = problem.damping,
                       .cap = its.most_iterations,
                       .number = trial.economy});
    }
    const std::size_t count = trials.size();
    const auto copy = [](auto* to, const auto* from, std::size_t numbers, cudaMemcpyKind kind) {
      check(cudaMemcpyAsync(to, from, numbers * sizeof(*to), kind, nullptr), "copying policies");
    };
    copy(tasks_.data(), tasks.data(), count, cudaMemcpyHostToDevice);
    copy(tomorrow_.data(), tomorrow.data(), tomorrow.size(), cudaMemcpyHostToDevice);
    copy(policies_.data(), staged_.data(), count * nodes_, cudaMemcpyHostToDevice);
    check(cudaMemsetAsync(next_.data(), 0, sizeof(int), nullptr), "resetting the queue");
    find_policies<<<std::min(static_cast<unsigned>(count), blocks_), threads, shared_bytes_>>>(
        tasks_.data(), static_cast<int>(count), next_.data(),
        {.in_k = in_k_.data(),
         .in_K = in_K_.data(),
         .tomorrow = tomorrow_.data(),
         .today = today_.data(),
         .policy = policies_.data(),
         .scratch = scratch_.data(),
         .lines = nullptr,
         .room = room_},
        EgmBlock<BlockThreads>::scratch(nodes_), iterations_.data());
    check(cudaGetLastError(), "launching the policies");
    copy(staged_.data(), policies_.data(), count * nodes_, cudaMemcpyDeviceToHost);
    check(cudaDeviceSynchronize(), "finding policies");
    for (std::size_t slot = 0; slot < count; ++slot) {
      Trial& trial = *trials[slot];
      std::copy_n(staged_.begin() + slot * nodes_, nodes_, trial.policy.begin());
      trial.policy_iterations = iterations_.data()[slot];
    }
  }

  void choose_blocks(int n_k) {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, find_policies), "loading the policies' kernel");
    const auto most =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) -
        attributes.sharedSizeBytes;
    const std::size_t of_pair = EgmBlock<BlockThreads>::shared_of_pair(n_k) * sizeof(double);
    if (of_pair > most) {
      throw UsageError("policy = egm_cuda keeps " + std::to_string(of_pair) +
                       " bytes of lines over k in shared memory, of which this GPU's blocks have " +
                       std::to_string(most) + ": take a smaller nk, or policy = egm");
    }
    room_ = static_cast<int>(std::min(size(pairs_), most / of_pair));
    shared_bytes_ = size(room_) * of_pair;
    check(cudaFuncSetAttribute(find_policies, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared_bytes_)),
          "asking for shared memory");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, find_policies, threads,
                                                        shared_bytes_),
          "asking for the occupancy");
    blocks_ = static_cast<unsigned>(
        std::min(slots_, resident * device_attribute(cudaDevAttrMultiProcessorCount)));
    scratch_ = DeviceBuffer<double>(blocks_ * EgmBlock<BlockThreads>::scratch(nodes_));
  }

  std::vector<Known> economies_;
  std::size_t nodes_;  ///< of a policy
  int pairs_;          ///< (a, K_j)
  int slots_;          ///< policies that are found together
  DeviceBuffer<double> in_k_, in_K_;
  DeviceBuffer<Prices> today_;
  DeviceBuffer<PolicyToFind> tasks_;
  DeviceBuffer<EulerMap::Tomorrow> tomorrow_;
  DeviceBuffer<double> policies_;
  PinnedBuffer<int> iterations_;
  DeviceBuffer<int> next_;
  DeviceBuffer<double> scratch_;
  PinnedBuffer<double> staged_;
  unsigned blocks_ = 0;
  int room_ = 0;
  std::size_t shared_bytes_ = 0;
};

const RegisterPolicy registered(
    {.name = "egm_cuda",
     .make_batch = [](std::span<const Problem> economies) -> std::unique_ptr<Policies> {
       return std::make_unique<EgmOnDevice>(economies);
     },
     .unavailable = numerics::no_gpu_here,
     .start = [] { numerics::load_kernels(find_policies); }});

}  // namespace

}  // namespace macrobench::krusell_smith
