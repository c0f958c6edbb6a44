// The methods of euler.cpp and egm.cpp on one GPU: what its blocks do is in policy_team.hpp, where
// a test runs it on the host. Of few policies each is found by many blocks; of many, each by one.
// All iterations are in one kernel, which Hatcher and Scheffel (2014, section 3) thought worthwhile
// for the Euler iteration.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/policy/egm.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/policy/policy_team.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::krusell_smith {

namespace {

using numerics::all_lanes;
using numerics::check;
using numerics::device_attribute;
using numerics::DeviceBuffer;
using numerics::NotAKnotSpline;
using numerics::PinnedBuffer;
using numerics::warp;

constexpr int threads = 256;        // per block
constexpr int most_in_cluster = 8;  // blocks, on any GPU that has clusters

/// How the blocks of a team wait for each other: as a cluster's do, or else through memory, where
/// each arrival counts. All must be on the chip.
enum class Meeting { in_cluster, in_memory };

/// The threads of one of a team's blocks.
template <Meeting meeting>
class TeamThreads {
 public:
  __device__ TeamThreads(int blocks, unsigned* arrived)
      : blocks_(blocks), block_(static_cast<int>(blockIdx.x) % blocks), arrived_(arrived) {}

  __device__ static int index() { return static_cast<int>(threadIdx.x); }
  __device__ static int count() { return threads; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x % warp); }
  __device__ static int lanes() { return warp; }
  [[nodiscard]] __device__ int block() const { return block_; }
  [[nodiscard]] __device__ int blocks() const { return blocks_; }
  __device__ static void sync() { __syncthreads(); }

  __device__ void sync_team() {
    if (blocks_ == 1) return __syncthreads();
    if constexpr (meeting == Meeting::in_cluster) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
      cooperative_groups::this_cluster().sync();
#endif
    } else {
      __syncthreads();
      if (threadIdx.x == 0) {
        all_arrive_ += static_cast<unsigned>(blocks_);
        __threadfence();
        atomicAdd(arrived_, 1U);
        while (static_cast<int>(*static_cast<volatile unsigned*>(arrived_) - all_arrive_) < 0) {
        }
        __threadfence();
      }
      __syncthreads();
    }
  }

  __device__ static void sync_lanes() { __syncwarp(); }
  __device__ static double of_lane_before(double mine) {
    const double before = __shfl_up_sync(all_lanes, mine, 1);
    return lane() == 0 ? 0 : before;
  }
  __device__ static double of_lane_after(double mine) {
    const double after = __shfl_down_sync(all_lanes, mine, 1);
    return lane() == warp - 1 ? 0 : after;
  }

  /// Numbers that are not negative have the order of their bits, and NaN is the largest.
  __device__ static double largest_of_lanes(double mine) {
    auto bits = static_cast<unsigned long long>(__double_as_longlong(mine));
    for (int offset = warp / 2; offset > 0; offset /= 2) {
      bits = max(bits, __shfl_xor_sync(all_lanes, bits, offset));
    }
    return __longlong_as_double(static_cast<long long>(bits));
  }
  __device__ static double sum_of_lanes(double mine) { return numerics::sum_of_warp(mine); }
  /// In 16 exchanges: half of the lanes give half of the numbers to the other half and take the
  /// rest of theirs, and so on.
  template <int count, class Put>
  __device__ static void sums_of_lanes(const double (&mine)[count], const Put& put) {
    constexpr int room = warp / 2;
    static_assert(count <= room);
    double left[room] = {};
#pragma unroll
    for (int n = 0; n < count; ++n) left[n] = mine[n];
    int number = 0;
#pragma unroll
    for (int turn = 1; turn <= 4; ++turn) {
      const int half = room >> turn;
      const bool is_high = (lane() & 2 * half) != 0;
      number += is_high ? half : 0;
#pragma unroll
      for (int n = 0; n < room / 2; ++n) {
        if (n >= half) continue;
        const double given = is_high ? left[n] : left[n + half];
        const double kept = is_high ? left[n + half] : left[n];
        left[n] = kept + __shfl_xor_sync(all_lanes, given, 2 * half);
      }
    }
    left[0] += __shfl_xor_sync(all_lanes, left[0], 1);
    if (lane() % 2 == 0 && number < count) put(number, left[0]);
  }

 private:
  int blocks_, block_;
  unsigned* arrived_;
  unsigned all_arrive_ = 0;  ///< once this many have, earlier meetings counted
};

/// PolicyData's arrays for all policies, economies or teams, one after the other; and what the
/// teams share.
struct AllPolicies {
  PolicyData data;
  std::ptrdiff_t scratch_of_team;
  int count;          ///< policies
  int blocks;         ///< of a team
  unsigned* next;     ///< policies that teams took after their first
  unsigned* arrived;  ///< by team, 0 at first
  int* iterations;    ///< by policy
};

/// Each team finds a policy; teams of one block then find others, until none is left.
template <Meeting meeting>
__global__ void __launch_bounds__(threads)
    find_policies(const PolicyToFind* tasks, const AllPolicies all) {
  extern __shared__ double shared[];
  __shared__ int now;
  __shared__ __align__(alignof(PolicyToFind)) unsigned char copy[sizeof(PolicyToFind)];
  const auto& task = *reinterpret_cast<const PolicyToFind*>(copy);
  const int teams = static_cast<int>(gridDim.x) / all.blocks;
  const int team = static_cast<int>(blockIdx.x) / all.blocks;
  TeamThreads<meeting> its_threads(all.blocks, all.arrived + team);
  if (threadIdx.x == 0) now = team;
  for (;;) {
    __syncthreads();
    if (now >= all.count) return;
    if (threadIdx.x == 0) std::memcpy(copy, tasks + now, sizeof copy);
    __syncthreads();
    const Grids& grids = task.grids;
    const std::ptrdiff_t pairs = 2 * grids.n_K;
    const std::ptrdiff_t nodes = static_cast<std::ptrdiff_t>(states) * grids.n_K * grids.n_k;
    PolicyData data = all.data;
    data.in_K += SplineView::constants(grids.n_K) * task.number;
    data.tomorrow += pairs * now;
    data.today += pairs * task.number;
    if (data.in_lines != nullptr) data.in_lines += pairs * grids.n_K * now;
    data.policy += nodes * now;
    data.scratch += team * all.scratch_of_team;
    data.shared = shared;
    const int taken = PolicyTeam<TeamThreads<meeting>>(task, data, its_threads).solve();
    if (threadIdx.x == 0 && its_threads.block() == 0) all.iterations[now] = taken;
    if (all.blocks > 1) return;  // there are as many teams as policies
    __syncthreads();
    if (threadIdx.x == 0) now = teams + static_cast<int>(atomicAdd(all.next, 1U));
  }
}

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

int reach_of(std::span<const NotAKnotSpline> splines) {
  int reach = 0;
  for (const NotAKnotSpline& spline : splines)
    reach = std::max(reach, SplineView::reach_of(spline));
  return reach;
}

/// The constants of all splines, one after the other.
std::vector<double> constants_of(std::span<const NotAKnotSpline> splines) {
  std::vector<double> all;
  for (const NotAKnotSpline& spline : splines) {
    const std::vector<double> its = SplineView::constants_of(spline);
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

using Kernel = void (*)(const PolicyToFind*, AllPolicies);

/// How a number of policies are found together.
struct Plan {
  Kernel kernel;
  bool is_cluster;
  int teams, blocks;  ///< and blocks of a team
  int room;           ///< pairs at a time in shared memory
  bool copies;        ///< constants to shared memory
  std::size_t shared_bytes;

  void launch(const PolicyToFind* tasks, const AllPolicies& all) const {
    cudaLaunchAttribute attribute{};
    if (is_cluster) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
    } else {
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(teams * blocks));
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = blocks > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, tasks, all), "launching the policies");
  }
};

class PoliciesOnDevice final : public Policies {
 public:
  /// By Euler iteration, or accelerated as egm.cpp.
  PoliciesOnDevice(std::span<const Problem> economies, int threads_of_host, bool accelerated)
      : accelerated_(accelerated),
        splines_(economies.front().policy_interpolation == PolicyInterpolation::spline),
        grids_(economies.front().grids),
        nodes_(grids_.size()),
        threads_(threads_of_host),
        pairs_(2 * grids_.n_K),
        slots_(std::max(trials_of_one, static_cast<int>(economies.size()))),
        in_k_(0),
        in_K_(0),
        today_(0),
        tasks_(size(slots_)),
        tomorrow_(size(slots_ * pairs_)),
        in_lines_(has_weights() ? tomorrow_.size() * size(grids_.n_K) : 0),
        policies_(size(slots_) * nodes_),
        iterations_(size(slots_)),
        counters_(1 + size(slots_)),
        scratch_(0),
        staged_(size(slots_) * nodes_) {
    const std::vector<NotAKnotSpline> in_k{NotAKnotSpline(k_points(grids_))};
    std::vector<NotAKnotSpline> in_K;
    std::vector<Prices> today;
    for (const Problem& problem : economies) {
      in_K.emplace_back(K_points(problem.grids));
      const std::vector<Prices> its =
          EulerMap::today_of(Economy(problem.calibration), problem.grids);
      today.insert(today.end(), its.begin(), its.end());
      economies_.push_back(
          {.problem = problem,
           .economy = Economy(problem.calibration),
           .in_K = in_K.back(),
           .bends_of_units = has_weights() ? bends_of_units(in_K.back()) : std::vector<double>(),
           .aim = Aim(problem.policy_tolerance),
           .most_iterations = problem.policy_cap});
    }
    reach_in_k_ = reach_of(in_k);
    reach_in_K_ = reach_of(in_K);
    in_k_ = DeviceBuffer<double>(constants_of(in_k));
    in_K_ = DeviceBuffer<double>(constants_of(in_K));
    today_ = DeviceBuffer<Prices>(today);
    allow_shared_memory();
    scratch_ = DeviceBuffer<double>(size(most_at_once()) * scratch_of_team());
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
    const Known& its = economies_[size(economy)];
    return accelerated_ ? its.aim.is_exact() : its.settled_for <= its.problem.policy_tolerance;
  }

 private:
  struct Known {
    Problem problem;
    Economy economy;
    NotAKnotSpline in_K;
    std::vector<double> bends_of_units;  ///< along K, where they are needed
    Aim aim;
    int most_iterations;
    double settled_for = 0;
  };

  /// The next policy of an economy, under this law.
  PolicyToFind task_of(const Trial& trial) {
    Known& its = economies_[size(trial.economy)];
    const bool is_first = its.aim.is_first();
    its.aim.set(trial.law, its.settled_for);
    return {.economy = its.economy,
            .grids = its.problem.grids,
            .splines = splines_,
            .accelerated = accelerated_,
            .endogenous = accelerated_ && is_first ? endogenous_steps : 0,
            .aim = accelerated_ ? its.aim.is()
                                : std::max(its.settled_for, its.problem.policy_tolerance),
            .damping = its.problem.damping,
            .cap = its.most_iterations,
            .number = trial.economy};
  }

  /// As many as there are slots.
  void improve_together(std::span<Trial* const> trials) {
    const std::size_t count = trials.size();
    std::vector<PolicyToFind> tasks;
    for (const Trial* trial : trials) tasks.push_back(task_of(*trial));
    std::vector<EulerMap::Tomorrow> tomorrow(count * size(pairs_));
    std::vector<double> in_lines(has_weights() ? tomorrow.size() * size(grids_.n_K) : 0);
    numerics::for_each_of(count, threads_, [&](std::size_t slot) {
      const Trial& trial = *trials[slot];
      const Known& its = economies_[size(trial.economy)];
      const std::size_t first = slot * size(pairs_);
      std::ranges::copy(
          EulerMap::tomorrow_under(trial.law, its.economy, its.problem.grids, its.in_K),
          tomorrow.begin() + static_cast<std::ptrdiff_t>(first));
      if (has_weights()) {
        put_weights_in_lines(std::span(tomorrow).subspan(first, size(pairs_)), its.bends_of_units,
                             in_lines.data() + first * size(grids_.n_K));
      }
      std::ranges::copy(trial.policy, staged_.begin() + slot * nodes_);
    });
    const auto copy = [](auto* to, const auto* from, std::size_t numbers, cudaMemcpyKind kind) {
      check(cudaMemcpyAsync(to, from, numbers * sizeof(*to), kind, nullptr), "copying policies");
    };
    copy(tasks_.data(), tasks.data(), count, cudaMemcpyHostToDevice);
    copy(tomorrow_.data(), tomorrow.data(), tomorrow.size(), cudaMemcpyHostToDevice);
    copy(in_lines_.data(), in_lines.data(), in_lines.size(), cudaMemcpyHostToDevice);
    copy(policies_.data(), staged_.data(), count * nodes_, cudaMemcpyHostToDevice);
    check(cudaMemsetAsync(counters_.data(), 0, counters_.size() * sizeof(unsigned), nullptr),
          "resetting the teams' counters");
    const Plan& plan = plan_of(static_cast<int>(count));
    plan.launch(tasks_.data(), {.data = data_of(plan),
                                .scratch_of_team = static_cast<std::ptrdiff_t>(scratch_of_team()),
                                .count = static_cast<int>(count),
                                .blocks = plan.blocks,
                                .next = counters_.data(),
                                .arrived = counters_.data() + 1,
                                .iterations = iterations_.data()});
    copy(staged_.data(), policies_.data(), count * nodes_, cudaMemcpyDeviceToHost);
    check(cudaDeviceSynchronize(), "finding policies");
    numerics::for_each_of(count, threads_, [&](std::size_t slot) {
      Trial& trial = *trials[slot];
      std::copy_n(staged_.begin() + slot * nodes_, nodes_, trial.policy.begin());
      trial.policy_iterations = iterations_.data()[slot];
    });
  }

  /// If K has few points, weighing each of them in a line takes no longer than to find second
  /// derivatives along K, and saves a meeting of the blocks.
  [[nodiscard]] bool has_weights() const { return splines_ && grids_.n_K <= 8; }

  [[nodiscard]] PolicyData data_of(const Plan& plan) {
    return {.in_k = in_k_.data(),
            .in_K = in_K_.data(),
            .reach_in_k = reach_in_k_,
            .reach_in_K = reach_in_K_,
            .tomorrow = tomorrow_.data(),
            .today = today_.data(),
            .in_lines = has_weights() ? in_lines_.data() : nullptr,
            .policy = policies_.data(),
            .scratch = scratch_.data(),
            .shared = nullptr,
            .room = plan.room,
            .copies = plan.copies};
  }

  [[nodiscard]] std::size_t scratch_of_team() const { return Team::scratch(grids_); }

  /// For a number of pairs at a time.
  [[nodiscard]] std::size_t shared_bytes(int room) const {
    return Team::shared_numbers(grids_, room) * sizeof(double);
  }

  /// Allows the kernels all shared memory that a block can have; throws UsageError if this is too
  /// little for one pair.
  void allow_shared_memory() {
    std::size_t of_kernel = 0;
    for (const Kernel kernel : kernels) {
      cudaFuncAttributes attributes;
      check(cudaFuncGetAttributes(&attributes, kernel), "loading the policies' kernel");
      of_kernel = std::max(of_kernel, attributes.sharedSizeBytes);
    }
    most_bytes_ =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) -
        of_kernel;
    if (shared_bytes(1) > most_bytes_) {
      throw UsageError("policy = " + economies_.front().problem.policy + " keeps " +
                       std::to_string(shared_bytes(1)) +
                       " bytes of lines over k or K in shared memory, of which this GPU's blocks "
                       "have " +
                       std::to_string(most_bytes_) +
                       ": take a smaller nk or nK, or a policy of the processor");
    }
    for (const Kernel kernel : kernels) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(most_bytes_)),
            "asking for shared memory");
    }
  }

  /// How many of these pairs have room at a time.
  [[nodiscard]] int most_room(int pairs) const {
    while (shared_bytes(pairs) > most_bytes_) --pairs;
    return pairs;
  }

  /// Teams of one block that run side by side.
  [[nodiscard]] int most_teams(std::size_t bytes) const {
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, in_memory, threads, bytes),
          "asking for the occupancy");
    return resident * device_attribute(cudaDevAttrMultiProcessorCount);
  }

  /// Policies that are found side by side, each in its own scratch memory.
  [[nodiscard]] int most_at_once() { return std::max(trials_of_one, planned(slots_).teams); }

  const Plan& plan_of(int count) {
    const auto found = plans_.find(count);
    if (found != plans_.end()) return found->second;
    return plans_.emplace(count, planned(count)).first->second;
  }

  /// Each team has as many blocks as let all teams run at once, but no more than it takes for the
  /// busiest block to have that few pairs.
  [[nodiscard]] Plan planned(int count) {
    const int on_chip = device_attribute(cudaDevAttrMultiProcessorCount);
    const int most = std::clamp(on_chip / count, 1, pairs_);
    const int of_block = (pairs_ + most - 1) / most;
    Plan plan{.kernel = in_memory,
              .is_cluster = false,
              .teams = count,
              .blocks = (pairs_ + of_block - 1) / of_block,
              .room = most_room(of_block),
              .copies = false,
              .shared_bytes = 0};
    plan.shared_bytes = shared_bytes(plan.room);
    const std::size_t of_copies = Team::copied_numbers(grids_, of_block) * sizeof(double);
    plan.copies = plan.shared_bytes + of_copies <= most_bytes_;
    if (plan.copies) plan.shared_bytes += of_copies;
    plan.is_cluster = plan.blocks > 1 && plan.blocks <= most_in_cluster &&
                      device_attribute(cudaDevAttrClusterLaunch) != 0;
    if (plan.is_cluster) plan.kernel = in_cluster;
    if (plan.blocks == 1) plan.teams = std::min(count, most_teams(plan.shared_bytes));
    return plan;
  }

  using Team = PolicyTeam<TeamThreads<Meeting::in_memory>>;
  static constexpr Kernel in_cluster = find_policies<Meeting::in_cluster>;
  static constexpr Kernel in_memory = find_policies<Meeting::in_memory>;
  static constexpr Kernel kernels[] = {in_cluster, in_memory};

  bool accelerated_;
  bool splines_;  ///< else straight lines, of all economies
  Grids grids_;   ///< their points are as many for all economies
  std::vector<Known> economies_;
  std::size_t nodes_;  ///< of a policy
  int threads_;        ///< of the processor
  int pairs_;          ///< (a, K_j)
  int slots_;          ///< policies that are found together
  int reach_in_k_ = 0, reach_in_K_ = 0;
  std::size_t most_bytes_ = 0;  ///< of shared memory
  DeviceBuffer<double> in_k_, in_K_;
  DeviceBuffer<Prices> today_;
  DeviceBuffer<PolicyToFind> tasks_;
  DeviceBuffer<EulerMap::Tomorrow> tomorrow_;
  DeviceBuffer<double> in_lines_;  ///< see PolicyData
  DeviceBuffer<double> policies_;
  PinnedBuffer<int> iterations_;
  DeviceBuffer<unsigned> counters_;
  DeviceBuffer<double> scratch_;
  PinnedBuffer<double> staged_;
  std::map<int, Plan> plans_;
};

void start() {
  numerics::load_kernels(find_policies<Meeting::in_cluster>, find_policies<Meeting::in_memory>);
}

template <bool accelerated>
std::unique_ptr<Policies> make(std::span<const Problem> economies, int host_threads) {
  return std::make_unique<PoliciesOnDevice>(economies, host_threads, accelerated);
}

const RegisterPolicy euler({.name = "euler_cuda",
                            .make_batch = make<false>,
                            .unavailable = numerics::no_gpu_here,
                            .start = start});
const RegisterPolicy egm({.name = "egm_cuda",
                          .make_batch = make<true>,
                          .unavailable = numerics::no_gpu_here,
                          .start = start});

}  // namespace

}  // namespace macrobench::krusell_smith
