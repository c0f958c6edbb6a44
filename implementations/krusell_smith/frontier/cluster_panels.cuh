#pragma once

// Panels of few agents on one GPU, any number of them at once: each is one cluster of blocks, which
// keeps its agents in registers or in shared memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/frontier/all_periods.cuh"
#include "implementations/krusell_smith/frontier/cluster.cuh"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"

namespace macrobench::krusell_smith {

namespace all_periods {

/// Agents that stay in registers, `count` per thread, in as many rows of the warp: 2, each a chunk,
/// or 4, which are one.
template <class R, bool is_seventh, bool is_in_index, int count>
class Held {
 public:
  using Real = R;
  static constexpr bool in_index = is_in_index;
  static constexpr int most_threads = count == rows ? all_periods::most_threads : 512;

  /// The threads of each block of a cluster.
  static unsigned threads(std::int64_t agents, unsigned blocks) {
    const Shares shares = Shares::of(agents);
    const int chunks = shares.of_block(static_cast<int>(blocks)) * shares.of_share;
    return static_cast<unsigned>((chunks * rows_of_chunk + count - 1) / count * warp);
  }

  __device__ Held(const Task<Real>& task, const Mine<Real>& mine, const Cluster& cluster,
                  const unsigned char* /*shared*/)
      : task_(task),
        mine_(mine),
        places_(task.grids),
        row_(cluster.first_chunk() * rows_of_chunk + static_cast<int>(threadIdx.x / warp) * count) {
    for (int n = 0; n < count; ++n) {
      // A block may have more threads than agents.
      is_there_[n] = row_ + n < cluster.end_chunk() * rows_of_chunk && agent(n) < task.agents;
      k_[n] = is_there_[n] ? mine.first[agent(n)] : Real(0);
      word_[n] = word(0, n);
    }
  }

  __device__ void begin(const Cluster& cluster) const { add(cluster); }

  /// The part of period t that does not need K. Employment is read a period ahead: it is far away.
  __device__ void prepare(int t) {
#pragma unroll
    for (int n = 0; n < count; ++n) {
      place_[n] = places_.of(k_[n]);
      works_[n] = works(word_[n], static_cast<int>(threadIdx.x % warp));
      if (t + 1 < task_.T) word_[n] = word(t + 1, n);
    }
  }

  /// The rest of it.
  __device__ void advance(const Cluster& cluster, const Lines<Real, in_index>& lines, int /*t*/,
                          int& clips) {
#pragma unroll
    for (int n = 0; n < count; ++n) {
      if (is_there_[n]) k_[n] = lines.choose(k_[n], place_[n], works_[n], clips);
    }
    add(cluster);
  }

  __device__ void write() const {
    if (mine_.wealth == nullptr) return;
    for (int n = 0; n < count; ++n) {
      if (is_there_[n]) mine_.wealth[agent(n)] = k_[n];
    }
  }

 private:
  static constexpr int rows_of_chunk = count == rows ? rows : 1;

  [[nodiscard]] __device__ int agent(int n) const {
    return (row_ + n) * warp + static_cast<int>(threadIdx.x % warp);
  }
  /// The employment of a row's agents in period t.
  [[nodiscard]] __device__ std::uint32_t word(int t, int n) const {
    return is_there_[n] ? task_.shocks.of(t)[row_ + n] : 0;
  }

  __device__ void add(const Cluster& cluster) const {
    if constexpr (count == rows) {
      double sum = 0;
      for (int n = 0; n < count; ++n) sum += static_cast<double>(k_[n]);
      cluster.add(row_ / count, sum);
    } else {
      cluster.add_two(row_, static_cast<double>(k_[0]), static_cast<double>(k_[1]));
    }
  }

  const Task<Real>& task_;
  const Mine<Real>& mine_;
  Places<Real, is_seventh> places_;
  int row_;  ///< the first
  Real k_[count];
  Place<Real> place_[count];
  std::uint32_t word_[count];
  bool is_there_[count], works_[count];
};

/// Agents in shared memory. Each block has its own groups of 128, and a warp takes one group at a
/// time, in four rows.
template <class R, bool is_seventh, bool is_in_index>
class InShared {
 public:
  using Real = R;
  static constexpr bool in_index = is_in_index;
  static constexpr int most_threads = all_periods::most_threads;

  /// The groups of a block.
  static std::size_t bytes(std::int64_t agents, unsigned blocks) {
    const Shares shares = Shares::of(agents);
    const int chunks = shares.of_block(static_cast<int>(blocks)) * shares.of_share;
    return static_cast<std::size_t>(chunks) * agents_in_chunk(agents) * sizeof(Real);
  }

  __device__ InShared(const Task<Real>& task, const Mine<Real>& mine, const Cluster& cluster,
                      unsigned char* shared)
      : task_(task),
        mine_(mine),
        places_(task.grids),
        k_(reinterpret_cast<Real*>(shared)),
        chunks_of_group_(agents_in_group / agents_in_chunk(task.agents)),
        first_(cluster.first_chunk() / chunks_of_group_),
        end_((cluster.end_chunk() + chunks_of_group_ - 1) / chunks_of_group_) {}

  __device__ void begin(Cluster& cluster) {
    for_each_group([&](int group, int /*turn*/) {
      double sums[rows];
      for (int row = 0; row < rows; ++row) {
        const int i = agent(group, row);
        const Real k = i < task_.agents ? mine_.first[i] : Real(0);
        k_[i - first_ * agents_in_group] = k;
        sums[row] = static_cast<double>(k);
      }
      add(cluster, group, sums);
    });
  }

  /// Reads the employment of the warp's groups, a group a lane.
  __device__ void prepare(int t) {
    const int group = first_ + warp_of_block() + warps() * lane();
    if (group < end_) employment_ = reinterpret_cast<const uint4*>(task_.shocks.of(t))[group];
  }

  __device__ void advance(Cluster& cluster, const Lines<Real, in_index>& lines, int /*t*/,
                          int& clips) {
    for_each_group([&](int group, int turn) {
      const std::uint32_t words[rows] = {
          __shfl_sync(all_lanes, employment_.x, turn), __shfl_sync(all_lanes, employment_.y, turn),
          __shfl_sync(all_lanes, employment_.z, turn), __shfl_sync(all_lanes, employment_.w, turn)};
      double sums[rows];
#pragma unroll
      for (int row = 0; row < rows; ++row) {
        const int i = agent(group, row);
        Real& k = k_[i - first_ * agents_in_group];
        if (i < task_.agents) {
          k = lines.choose(k, places_.of(k), works(words[row], lane()), clips);
        }
        sums[row] = static_cast<double>(k);
      }
      add(cluster, group, sums);
    });
  }

  __device__ void write() const {
    if (mine_.wealth == nullptr) return;
    for_each_group([&](int group, int /*turn*/) {
      for (int row = 0; row < rows; ++row) {
        const int i = agent(group, row);
        if (i < task_.agents) mine_.wealth[i] = k_[i - first_ * agents_in_group];
      }
    });
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x % warp); }
  __device__ static int warp_of_block() { return static_cast<int>(threadIdx.x / warp); }
  __device__ static int warps() { return static_cast<int>(blockDim.x / warp); }
  __device__ static int agent(int group, int row) {
    return group * agents_in_group + row * warp + lane();
  }

  /// Calls work(group, turn) for the warp's groups.
  template <class Work>
  __device__ void for_each_group(const Work& work) const {
    int turn = 0;
    for (int group = first_ + warp_of_block(); group < end_; group += warps()) work(group, turn++);
  }

  __device__ void add(Cluster& cluster, int group, const double (&sums)[rows]) const {
    if (chunks_of_group_ == rows) {
      cluster.add_four(rows * group, sums);
    } else {
      cluster.add(group, sums[0] + sums[1] + sums[2] + sums[3]);
    }
  }

  const Task<Real>& task_;
  const Mine<Real>& mine_;
  Places<Real, is_seventh> places_;
  Real* k_;
  int chunks_of_group_;
  int first_, end_;  ///< groups
  uint4 employment_ = {};
};

}  // namespace all_periods

/// The panels of a batch of economies, all with the same agents.
template <class Real>
class ClusterPanels final : public GpuPanel {
 public:
  /// Whether one cluster of this GPU can have all agents of the problem in registers.
  static bool has_room(const Problem& problem) {
    using namespace all_periods;
    if (device_attribute(cudaDevAttrClusterLaunch) == 0 || problem.N > most_in_panel) return false;
    return all_periods::with_interpolation(problem, [&]<bool is_seventh, bool in_index>() {
      const Launch held = in_registers<is_seventh, in_index>(problem);
      return threads_of_held<is_seventh, in_index>(problem, held.most_in_cluster()).has_value();
    });
  }

  /// Loads the kernels that so many panels of this problem take.
  static void load(const Problem& problem, int panels) {
    static_cast<void>(launch_for(problem, panels));
  }

  ClusterPanels(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        agents_(static_cast<std::size_t>(problem.N)),
        periods_(static_cast<std::size_t>(problem.T)),
        slots_(std::max(trials_of_one, problem.economies)),
        numbers_of_policy_(size_with_bends(problem.grids, problem.panel_interpolation)),
        inputs_(problem, shocks, 0, problem.N, true),
        first_(size(problem.economies) * agents_),
        wealth_(first_.size()),
        policies_(size(slots_) * numbers_of_policy_),
        own_(size(slots_)),
        clips_(2 * size(slots_)),
        staged_(policies_.size()),
        K_(size(slots_) * periods_) {
    begin(shocks);
    for (int e = 0; e < problem.economies; ++e) {
      economies_.push_back({.grids = economy_of(problem, e).grids});
    }
    launch_of(1);
    // So that a later solution cannot find earlier values there.
    std::ranges::fill(K_, std::numeric_limits<double>::quiet_NaN());
    numerics::check(cudaDeviceSynchronize(), "preparing the panels");
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    Trial trial{.policy = policy, .K = std::move(K)};
    Trial* only = &trial;
    simulate_each({&only, 1});
    K = std::move(trial.K);
    return trial.clips;
  }

  void simulate_each(std::span<Trial* const> trials) override {
    for (std::size_t first = 0; first < trials.size(); first += size(slots_)) {
      simulate_together(trials.subspan(first, std::min(size(slots_), trials.size() - first)));
    }
  }

  void keep_last() override { keep_last_of(0); }
  void keep_last_of(int economy) override {
    Its& its = economies_[size(economy)];
    its.is_swapped = !its.is_swapped;
  }

  void write(Equilibrium& equilibrium) const override {
    const bool many = problem_.economies > 1;
    std::vector<Real> values(agents_);
    const auto copy = [&](const Real* from, std::vector<double>& to) {
      numerics::check(
          cudaMemcpy(values.data(), from, agents_ * sizeof(Real), cudaMemcpyDeviceToHost),
          "copying wealth to the host");
      to.assign(values.begin(), values.end());
    };
    for (int e = 0; e < problem_.economies; ++e) {
      Equilibrium& one = many ? equilibrium.economies[size(e)] : equilibrium;
      const bool is_swapped = economies_[size(e)].is_swapped;
      copy((is_swapped ? wealth_ : first_).data() + size(e) * agents_, one.first_wealth);
      copy((is_swapped ? first_ : wealth_).data() + size(e) * agents_, one.last_wealth);
    }
  }

 private:
  using Own = all_periods::Own;
  using Launch = all_periods::Launch<Real, all_periods::Cluster::Mail>;

  struct Its {
    Grids grids;
    bool is_swapped = false;  ///< see Own
  };

  static std::size_t policy_bytes(const Problem& problem) {
    return size_with_bends(problem.grids, problem.panel_interpolation) * sizeof(double);
  }
  /// Bytes of shared memory, but for the chunks' sums.
  static std::size_t room_of_block() {
    return static_cast<std::size_t>(
        all_periods::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 16 * 1024);
  }
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  /// All economies begin alike.
  void begin(const Shocks& shocks) {
    if (are_drawn(problem_)) {
      all_periods::begin_with<<<64, 256>>>(0, problem_.N, first_.data());
      numerics::check(cudaGetLastError(), "launching the first wealth");
    } else {
      const std::vector<double> given = first_wealth(problem_, shocks);
      const std::vector<Real> rounded(given.begin(), given.end());
      numerics::check(
          cudaMemcpy(first_.data(), rounded.data(), agents_ * sizeof(Real), cudaMemcpyHostToDevice),
          "copying the first wealth to the device");
    }
    for (int e = 1; e < problem_.economies; ++e) {
      numerics::check(cudaMemcpyAsync(first_.data() + size(e) * agents_, first_.data(),
                                      agents_ * sizeof(Real), cudaMemcpyDeviceToDevice, nullptr),
                      "copying the first wealth");
    }
  }

  /// As many as there are slots.
  void simulate_together(std::span<Trial* const> trials) {
    const std::size_t count = trials.size();
    std::vector<Own> own(count);
    numerics::for_each_of(count, problem_.threads, [&](std::size_t slot) {
      const Trial& trial = *trials[slot];
      const Its& its = economies_[size(trial.economy)];
      const bool is_first = slot == 0 || trials[slot - 1]->economy != trial.economy;
      put_with_bends(its.grids, problem_.panel_interpolation, trial.policy,
                     staged_.data() + slot * numbers_of_policy_);
      own[slot] = {.economy = trial.economy,
                   .is_swapped = its.is_swapped,
                   .is_kept = is_first,
                   .K_min = its.grids.K_min,
                   .K_max = its.grids.K_max};
    });
    numerics::check(cudaMemcpyAsync(own_.data(), own.data(), count * sizeof(Own),
                                    cudaMemcpyHostToDevice, nullptr),
                    "copying the panels' tasks");
    numerics::check(cudaMemcpyAsync(policies_.data(), staged_.data(),
                                    count * numbers_of_policy_ * sizeof(double),
                                    cudaMemcpyHostToDevice, nullptr),
                    "copying policies");
    numerics::check(
        cudaMemsetAsync(clips_.data(), 0, 2 * count * sizeof(unsigned long long), nullptr),
        "resetting clips");
    const Launch& launch = launch_of(static_cast<int>(count));
    launch(static_cast<unsigned>(count),
           {.grids = problem_.grids,
            .interpolation = problem_.panel_interpolation,
            .N = problem_.N,
            .agents = problem_.N,
            .T = problem_.T,
            .moves = problem_.moves(),
            .states = inputs_.states(),
            .shocks = inputs_.employment(),
            .own = own_.data(),
            .policies = policies_.data(),
            .policy_size = numbers_of_policy_,
            .copies_policy = launch.copies_policy,
            .first = first_.data(),
            .wealth = wealth_.data(),
            .K = K_.data(),
            .clips = clips_.data()},
           {});
    std::vector<unsigned long long> clips(clips_.size());
    clips_.download(clips);
    numerics::for_each_of(count, problem_.threads, [&](std::size_t slot) {
      Trial& trial = *trials[slot];
      std::copy_n(K_.begin() + slot * periods_, periods_, trial.K.begin());
      trial.clips = {.k = static_cast<std::int64_t>(clips[2 * slot]),
                     .K = static_cast<std::int64_t>(clips[2 * slot + 1])};
    });
  }

  /// How so many panels are launched.
  const Launch& launch_of(int panels) {
    const auto found = launches_.find(panels);
    if (found != launches_.end()) return found->second;
    return launches_.emplace(panels, launch_for(problem_, panels)).first->second;
  }

  static Launch launch_for(const Problem& problem, int panels) {
    return all_periods::with_interpolation(problem, [&]<bool is_seventh, bool in_index>() {
      return choose<is_seventh, in_index>(problem, panels);
    });
  }

  /// Calls work.operator()<Agents>() for the kind of registers that the problem's agents are in.
  template <bool is_seventh, bool in_index, class Work>
  static auto with_held(const Problem& problem, const Work& work) {
    using namespace all_periods;
    return agents_in_chunk(problem.N) == warp
               ? work.template operator()<Held<Real, is_seventh, in_index, 2>>()
               : work.template operator()<Held<Real, is_seventh, in_index, rows>>();
  }

  /// With agents in registers, as many blocks as a cluster can have, and all threads.
  template <bool is_seventh, bool in_index>
  static Launch in_registers(const Problem& problem) {
    using namespace all_periods;
    Launch held = with_held<is_seventh, in_index>(problem, [&]<class Agents>() {
      return Launch{.kernel = all_periods::simulate<Cluster, Agents>,
                    .blocks = most_in_cluster,
                    .is_cluster = true,
                    .threads = Agents::most_threads,
                    .shared_bytes = Lines<Real, in_index>::bytes(problem.grids.n_k)};
    });
    constexpr std::size_t most_copied = 64 * 1024;  // beside the block's lines
    held.copies_policy = policy_bytes(problem) <= most_copied &&
                         held.shared_bytes + policy_bytes(problem) <= room_of_block();
    if (held.copies_policy) held.shared_bytes += policy_bytes(problem);
    held.allow();
    return held;
  }

  /// The threads of each of these blocks, or none if their registers have no room for all agents.
  template <bool is_seventh, bool in_index>
  static std::optional<unsigned> threads_of_held(const Problem& problem, unsigned blocks) {
    return with_held<is_seventh, in_index>(problem, [&]<class Agents>() -> std::optional<unsigned> {
      const unsigned threads = Agents::threads(problem.N, blocks);
      return threads <= Agents::most_threads ? std::optional(threads) : std::nullopt;
    });
  }

  /// As many blocks a panel as let all run at once, with the agents in registers if these have
  /// room; else in shared memory, of no more blocks than it takes.
  template <bool is_seventh, bool in_index>
  static Launch choose(const Problem& problem, int panels) {
    using namespace all_periods;
    Launch held = in_registers<is_seventh, in_index>(problem);
    const unsigned most = held.most_in_cluster();
    const auto on_chip = static_cast<unsigned>(device_attribute(cudaDevAttrMultiProcessorCount));
    constexpr unsigned least_threads = 256;
    unsigned blocks = 1;
    while (2 * blocks <= most && 2 * blocks * static_cast<unsigned>(panels) <= on_chip &&
           problem.N >= 2 * blocks * least_threads) {
      blocks *= 2;
    }
    const auto threads = threads_of_held<is_seventh, in_index>(problem, blocks);
    if (threads && static_cast<unsigned>(panels) * blocks <= on_chip) {
      held.blocks = blocks;
      held.threads = std::max(least_threads, *threads);
      return held;
    }
    using Agents = InShared<Real, is_seventh, in_index>;
    constexpr std::size_t most_copied = 16 * 1024;  // beside agents, its own and other blocks'
    const bool copies_policy = policy_bytes(problem) <= most_copied;
    const std::size_t lines = Lines<Real, in_index>::bytes(problem.grids.n_k) +
                              (copies_policy ? policy_bytes(problem) : 0);
    Launch shared{.kernel = all_periods::simulate<Cluster, Agents>,
                  .blocks = blocks,
                  .is_cluster = true,
                  .threads = 512,
                  .shared_bytes = lines + Agents::bytes(problem.N, blocks),
                  .copies_policy = copies_policy};
    while (shared.shared_bytes > room_of_block() && 2 * shared.blocks <= most) {
      shared.blocks *= 2;
      shared.shared_bytes = lines + Agents::bytes(problem.N, shared.blocks);
    }
    // A warp takes a group at a time: no more warps than groups.
    constexpr std::int64_t few_groups = 8;
    if (problem.N <= few_groups * agents_in_group * shared.blocks) shared.threads = 256;
    shared.allow();
    return shared;
  }

  const Problem& problem_;
  std::size_t agents_, periods_;
  int slots_;  ///< panels that are simulated together
  std::size_t numbers_of_policy_;
  all_periods::Inputs inputs_;
  numerics::DeviceBuffer<Real> first_, wealth_;  ///< by economy; they change roles
  numerics::DeviceBuffer<double> policies_;
  numerics::DeviceBuffer<Own> own_;
  numerics::DeviceBuffer<unsigned long long> clips_;
  numerics::PinnedBuffer<double> staged_, K_;
  std::vector<Its> economies_;
  std::map<int, Launch> launches_;
};

}  // namespace macrobench::krusell_smith
