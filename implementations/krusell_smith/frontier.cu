// The best panel that we know on one GPU: all periods in one kernel. K is common to all agents, so
// every block collapses each period's two surfaces along K to the cubics of two lines, in its
// shared memory; an agent reads its wealth and one cubic, and writes its wealth. Between periods
// the blocks exchange their sums, and each block adds them up itself, in the same order.
//
// If there are few agents, they stay in the registers of one cluster of blocks, whose
// synchronisation costs a tenth of the whole chip's. If there are many, they go through memory,
// forwards in even periods and backwards in odd ones: the next period still finds in the cache what
// the last one wrote last.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/outer_loop.hpp"
#include "implementations/krusell_smith/panel/collapsed.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "implementations/numerics/device.cuh"

namespace macrobench::krusell_smith {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::PinnedBuffer;

constexpr int warp = 32;
constexpr int most_threads = 1024;  // per block
constexpr int least_threads = 256;
constexpr int most_warps = most_threads / warp;
constexpr int most_in_cluster = 16;  // blocks
constexpr unsigned all_lanes = 0xFFFFFFFF;

/// The unit of reads and writes.
template <class Real>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(Real);
  Real of[size];
};

template <class Real>
struct Task {
  Grids grids;
  int N, T;
  double K_places;              ///< (n_K - 1) / (K_max - K_min)
  const double* policy;         ///< shape 4 x n_K x n_k
  const std::uint8_t* states;   ///< the aggregate state, shape T
  const std::uint32_t* shocks;  ///< employment, shape T x words
  std::size_t words;            ///< of a period
  const Real* first;            ///< wealth in the first period, shape N
  Real* wealth;                 ///< and in the last one
  double* sums;                 ///< of blocks, shape 2 x blocks
  double* K;                    ///< shape T
  unsigned long long* clips;    ///< of k and of K
};

template <class T>
__device__ T sum_of_warp(T mine) {
  for (int offset = warp / 2; offset > 0; offset /= 2) {
    mine += __shfl_xor_sync(all_lanes, mine, offset);
  }
  return mine;
}

/// The sum of `count` numbers, by a warp; all its lanes get it.
__device__ double sum_of(const double* numbers, int count) {
  double mine = 0;
  for (int n = static_cast<int>(threadIdx.x % warp); n < count; n += warp) mine += numbers[n];
  return sum_of_warp(mine);
}

// How the blocks exchange their sums: send() that of each thread, then receive() that of all. Two
// sets of places alternate, so that no block overwrites what another still reads.

/// Blocks of the whole chip, through its memory.
class Chip {
 public:
  __device__ explicit Chip(double* sums) : sums_(sums) {}

  __device__ void send(double mine) {
    __shared__ double of_warp[most_warps];
    mine = sum_of_warp(mine);
    if (threadIdx.x % warp == 0) of_warp[threadIdx.x / warp] = mine;
    __syncthreads();
    if (threadIdx.x >= warp) return;
    const double of_block = sum_of(of_warp, static_cast<int>(blockDim.x / warp));
    if (threadIdx.x == 0) sums_[turn_ * gridDim.x + blockIdx.x] = of_block;
  }

  __device__ double receive() {
    __shared__ double total;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x < warp) {
      const double sum = sum_of(sums_ + turn_ * gridDim.x, static_cast<int>(gridDim.x));
      if (threadIdx.x == 0) total = sum;
    }
    __syncthreads();
    turn_ = 1 - turn_;
    return total;
  }

 private:
  double* sums_;
  unsigned turn_ = 0;
};

/// Blocks of the only cluster, each through the others' shared memory.
class Cluster {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
 public:
  __device__ explicit Cluster(double* /*sums*/) { cooperative_groups::this_cluster().sync(); }

  __device__ void send(double mine) {
    const unsigned lane = threadIdx.x % warp;
    const unsigned warps = blockDim.x / warp;
    auto cluster = cooperative_groups::this_cluster();
    mine = sum_of_warp(mine);
    if (lane < gridDim.x) {
      cluster.map_shared_rank(places(), lane)[blockIdx.x * warps + threadIdx.x / warp] = mine;
    }
    cluster.barrier_arrive();
  }

  __device__ double receive() {
    cooperative_groups::this_cluster().barrier_wait();
    const double total = sum_of(places(), static_cast<int>(gridDim.x * blockDim.x / warp));
    turn_ = 1 - turn_;
    return total;
  }

 private:
  __device__ double* places() const {
    __shared__ double of_warps[2][most_in_cluster * most_warps];
    return of_warps[turn_];
  }

  unsigned turn_ = 0;
#else
 public:  // never launched there
  __device__ explicit Cluster(double* /*sums*/) {}
  __device__ void send(double /*mine*/) {}
  __device__ double receive() { return 0; }
#endif
};

/// What the agents of a period choose, by employment: cubics in shared memory. Those of doubles
/// are stored in two separate halves, so that neighbours are in different banks.
template <class Real>
class Lines {
 public:
  static std::size_t bytes(int n_k) {
    return 2 * static_cast<std::size_t>(n_k) * (sizeof(double) + sizeof(Cubic<Real>));
  }

  __device__ Lines(unsigned char* shared, const Grids& grids)
      : grids_(grids),
        parts_(reinterpret_cast<Vector<Real>*>(shared)),
        nodes_(reinterpret_cast<double*>(shared + 2 * grids.n_k * sizeof(Cubic<Real>))) {}

  /// At index x of K and one aggregate state, by the whole block.
  __device__ void collapse(const double* policy, int a, double x) {
    const LinesAround around(x);
    const int n_k = grids_.n_k;
    for (int n = static_cast<int>(threadIdx.x); n < 2 * n_k; n += static_cast<int>(blockDim.x)) {
      const int e = n < n_k ? unemployed : employed;
      nodes_[n] = around.node(grids_, policy, state_of(a, e), n - e * n_k);
    }
    __syncthreads();
    for (int n = static_cast<int>(threadIdx.x); n < 2 * n_k; n += static_cast<int>(blockDim.x)) {
      const double* line = nodes_ + (n < n_k ? 0 : n_k);
      const int i = n < n_k ? n : n - n_k;
      const Cubic<Real> cubic =
          Cubic<Real>::between(line[clamp_index(i - 1, n_k)], line[i],
                               line[clamp_index(i + 1, n_k)], line[clamp_index(i + 2, n_k)]);
      for (int p = 0; p < parts; ++p) {
        Vector<Real> part;
        for (int c = 0; c < Vector<Real>::size; ++c) part.of[c] = cubic.c[p * part.size + c];
        parts_[p * 2 * n_k + n] = part;
      }
    }
    __syncthreads();
  }

  /// What an agent chooses; `clips` grows if it had to be clipped.
  __device__ Real choose(const Place<Real>& place, bool works, int& clips) const {
    const int n = place.below + (works ? grids_.n_k : 0);
    Cubic<Real> cubic;
    for (int p = 0; p < parts; ++p) {
      const Vector<Real> part = parts_[p * 2 * grids_.n_k + n];
      for (int c = 0; c < Vector<Real>::size; ++c) cubic.c[p * part.size + c] = part.of[c];
    }
    const Real chosen = cubic(place.t);
    const auto k_max = static_cast<Real>(grids_.k_max);
    // Positive numbers have the order of their bits; negative ones come after them.
    if (bits(chosen) <= bits(k_max)) return chosen;
    const Real k = min(max(chosen, Real(0)), k_max);
    clips += k != chosen ? 1 : 0;
    return k;
  }

 private:
  static constexpr int parts = 4 / Vector<Real>::size;

  static __device__ unsigned bits(float x) { return __float_as_uint(x); }
  static __device__ unsigned long long bits(double x) {
    return static_cast<unsigned long long>(__double_as_longlong(x));
  }

  const Grids& grids_;
  Vector<Real>* parts_;  ///< shape parts x 2 x n_k
  double* nodes_;        ///< shape 2 x n_k
};

/// Whether the n-th of the agents whose shocks are in `word` is employed.
__device__ bool works(std::uint32_t word, int n) {
  return (word >> (n ^ 7) & 1) != 0;  // bytes are in order, their bits reversed
}

/// Agents that stay in registers, `count` per thread.
template <class R, bool is_seventh, int count>
class Held {
 public:
  using Real = R;

  __device__ explicit Held(const Task<Real>& task) : task_(task), places_(task.grids) {
    for (int n = 0; n < count; ++n) k_[n] = agent(n) < task.N ? task.first[agent(n)] : Real(0);
  }

  __device__ double sum() const {
    double sum = 0;
    for (int n = 0; n < count; ++n) sum += static_cast<double>(k_[n]);
    return sum;
  }

  /// The part of period t that does not need K.
  __device__ void prepare(int t) {
    const std::uint32_t* words = task_.shocks + static_cast<std::size_t>(t) * task_.words;
    for (int n = 0; n < count; ++n) {
      place_[n] = places_.of(k_[n]);
      if (agent(n) < task_.N) works_[n] = works(words[agent(n) / warp], agent(n) % warp);
    }
  }

  /// The rest of it; returns the sum of this thread's agents' wealth.
  __device__ double advance(const Lines<Real>& lines, int /*t*/, int& clips) {
    for (int n = 0; n < count; ++n) {
      if (agent(n) < task_.N) k_[n] = lines.choose(place_[n], works_[n], clips);
    }
    return sum();
  }

  __device__ void write() const {
    for (int n = 0; n < count; ++n) {
      if (agent(n) < task_.N) task_.wealth[agent(n)] = k_[n];
    }
  }

 private:
  __device__ static int agent(int n) {
    return static_cast<int>((n * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x);
  }

  const Task<Real>& task_;
  Places<Real, is_seventh> places_;
  Real k_[count];
  Place<Real> place_[count];
  bool works_[count];
};

/// Agents in the chip's memory. Each block has its own; its warps take one tile at a time, and each
/// lane two vectors of the tile. The last block takes the agents left over after the whole tiles.
template <class R, bool is_seventh>
class Streamed {
 public:
  using Real = R;

  __device__ explicit Streamed(const Task<Real>& task)
      : task_(task),
        places_(task.grids),
        first_tile_(share_of(task.N / tile, blockIdx.x)),
        end_tile_(share_of(task.N / tile, blockIdx.x + 1)),
        left_over_(blockIdx.x + 1 == gridDim.x ? task.N / tile * tile : task.N) {}

  __device__ double sum() const {
    double sum = 0;
    for (int i = first_tile_ * tile + thread(); i < end_tile_ * tile; i += threads()) {
      sum += static_cast<double>(task_.first[i]);
    }
    for (int i = left_over_ + thread(); i < task_.N; i += threads()) {
      sum += static_cast<double>(task_.first[i]);
    }
    return sum;
  }

  __device__ void prepare(int /*t*/) {}

  __device__ double advance(const Lines<Real>& lines, int t, int& clips) {
    const std::uint32_t* words = task_.shocks + static_cast<std::size_t>(t) * task_.words;
    const Real* from = t == 0 ? task_.first : task_.wealth;
    double sum = 0;
    for (int n = first_tile_ + thread() / warp; n < end_tile_; n += threads() / warp) {
      const int now = t % 2 == 0 ? n : first_tile_ + end_tile_ - 1 - n;
      const int i = now * tile + thread() % warp * width;
      Vector<Real> k[vectors];
      std::uint32_t word[vectors];
      for (int v = 0; v < vectors; ++v) {
        k[v] = *reinterpret_cast<const Vector<Real>*>(from + i + v * stride);
        word[v] = words[(i + v * stride) / warp];
      }
      Real of_tile = 0;
      for (int v = 0; v < vectors; ++v) {
        for (int m = 0; m < width; ++m) {
          Real& mine = k[v].of[m];
          mine = lines.choose(places_.of(mine), works(word[v], i % warp + m), clips);
          of_tile += mine;
        }
        *reinterpret_cast<Vector<Real>*>(task_.wealth + i + v * stride) = k[v];
      }
      sum += static_cast<double>(of_tile);
    }
    for (int i = left_over_ + thread(); i < task_.N; i += threads()) {
      task_.wealth[i] = lines.choose(places_.of(from[i]), works(words[i / warp], i % warp), clips);
      sum += static_cast<double>(task_.wealth[i]);
    }
    return sum;
  }

  __device__ void write() const {}

 private:
  static constexpr int width = Vector<Real>::size;
  static constexpr int stride = warp * width;
  static constexpr int vectors = 2;
  static constexpr int tile = vectors * stride;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int threads() { return static_cast<int>(blockDim.x); }

  /// The first of `tiles` that is block b's.
  __device__ static int share_of(int tiles, unsigned b) {
    return static_cast<int>(std::int64_t{tiles} * b / gridDim.x);
  }

  const Task<Real>& task_;
  Places<Real, is_seventh> places_;
  int first_tile_, end_tile_;
  int left_over_;  ///< the first agent after the whole tiles; the last block's
};

template <class Blocks, class Agents>
__global__ void __launch_bounds__(most_threads)
    simulate_all_periods(const Task<typename Agents::Real> task) {
  extern __shared__ __align__(16) unsigned char shared[];
  Lines<typename Agents::Real> lines(shared, task.grids);
  Blocks blocks(task.sums);
  Agents agents(task);
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
  const double share = 1.0 / task.N;
  int clips_of_k = 0;
  int clips_of_K = 0;

  blocks.send(agents.sum());
  for (int t = 0;; ++t) {
    agents.prepare(t);
    const int a = task.states[t];
    const double mean = blocks.receive() * share;
    const double K = task.grids.clip_K(mean);
    if (is_first) {
      task.K[t] = K;
      clips_of_K += K != mean ? 1 : 0;
    }
    if (t + 1 == task.T) break;
    lines.collapse(task.policy, a, (K - task.grids.K_min) * task.K_places);
    blocks.send(agents.advance(lines, t, clips_of_k));
  }
  agents.write();
  clips_of_k = sum_of_warp(clips_of_k);
  if (threadIdx.x % warp == 0 && clips_of_k > 0) {
    atomicAdd(task.clips, static_cast<unsigned long long>(clips_of_k));
  }
  if (is_first) task.clips[1] = static_cast<unsigned long long>(clips_of_K);
}

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking what the device can do");
  return value;
}

/// A kernel, and how it is launched: with all its blocks running at once.
template <class Real>
struct Plan {
  using Kernel = void (*)(Task<Real>);

  Kernel kernel;
  bool is_cluster;
  unsigned blocks, threads;
  std::size_t shared_bytes;

  /// The best for this number of agents on this GPU. Throws std::runtime_error if the lines are too
  /// long for its shared memory.
  static Plan of(const Problem& problem) {
    return problem.grids.theta == 7 ? of_theta<true>(problem) : of_theta<false>(problem);
  }

  void launch(Task<Real> task) const {
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(attribute);
    void* arguments[] = {&task};
    check(cudaLaunchKernelExC(&config, address(), arguments), "launching the panel");
  }

 private:
  template <bool is_seventh>
  static Plan of_theta(const Problem& problem) {
    const std::size_t bytes = Lines<Real>::bytes(problem.grids.n_k);
    if (device_attribute(cudaDevAttrClusterLaunch) != 0) {
      for (const auto& [kernel, agents_a_thread] :
           {std::pair{Kernel{simulate_all_periods<Cluster, Held<Real, is_seventh, 1>>}, 1},
            std::pair{Kernel{simulate_all_periods<Cluster, Held<Real, is_seventh, 4>>}, 4}}) {
        Plan plan{kernel, true, most_in_cluster, most_threads, bytes};
        plan.allow();
        plan.shrink_cluster();
        const int places = static_cast<int>(plan.blocks) * agents_a_thread;
        const int threads = (problem.N + places - 1) / places;
        if (threads > most_threads) continue;
        plan.threads = static_cast<unsigned>(std::max(least_threads, (threads + 31) / 32 * 32));
        return plan;
      }
    }
    const int enough = std::max(1, problem.N / (2 * most_threads));
    const int blocks = std::min(enough, device_attribute(cudaDevAttrMultiProcessorCount));
    Plan plan{simulate_all_periods<Chip, Streamed<Real, is_seventh>>, false,
              static_cast<unsigned>(blocks), most_threads, bytes};
    plan.allow();
    return plan;
  }

  /// Loads the kernel and grants it its shared memory.
  void allow() const {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, address()), "loading the panel");
    const auto most =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    if (shared_bytes + attributes.sharedSizeBytes > most) {
      throw std::runtime_error("the lines over k take " + std::to_string(shared_bytes) +
                               " bytes of shared memory, of which this GPU's blocks have " +
                               std::to_string(most) + ": take a smaller nk, or cuda_software");
    }
    check(cudaFuncSetAttribute(address(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared_bytes)),
          "asking for shared memory");
  }

  /// Limited to as many blocks as the GPU can have in one cluster.
  void shrink_cluster() {
    check(cudaFuncSetAttribute(address(), cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "asking for a large cluster");
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(attribute);
    int most = 0;
    check(cudaOccupancyMaxPotentialClusterSize(&most, address(), &config),
          "asking how large a cluster can be");
    blocks = std::clamp(static_cast<unsigned>(most), 1U, blocks);
  }

  [[nodiscard]] const void* address() const { return reinterpret_cast<const void*>(kernel); }

  [[nodiscard]] cudaLaunchConfig_t configuration(cudaLaunchAttribute& attribute) const {
    if (is_cluster) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = blocks;
      attribute.val.clusterDim.y = 1;
      attribute.val.clusterDim.z = 1;
    } else {
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return config;
  }
};

template <class Real>
class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        plan_(Plan<Real>::of(problem)),
        words_(shocks.stride / sizeof(std::uint32_t)),
        bits_(shocks.bits),
        states_(shocks.states),
        policy_(problem.grids.size()),
        first_(in_precision(first_wealth(problem, shocks))),
        wealth_(first_.size()),
        sums_(2 * plan_.blocks),
        clips_(2),
        K_(static_cast<std::size_t>(problem.T)) {
    // So that a later solution cannot find earlier values there.
    std::ranges::fill(K_, std::numeric_limits<double>::quiet_NaN());
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    const Grids& grids = problem_.grids;
    policy_.upload(policy);
    check(cudaMemsetAsync(clips_.data(), 0, 2 * sizeof(unsigned long long)), "resetting clips");
    plan_.launch({.grids = grids,
                  .N = problem_.N,
                  .T = problem_.T,
                  .K_places = (grids.n_K - 1) / (grids.K_max - grids.K_min),
                  .policy = policy_.data(),
                  .states = states_.data(),
                  .shocks = reinterpret_cast<const std::uint32_t*>(bits_.data()),
                  .words = words_,
                  .first = first_.data(),
                  .wealth = wealth_.data(),
                  .sums = sums_.data(),
                  .K = K_.data(),
                  .clips = clips_.data()});
    unsigned long long clips[2];
    clips_.download(clips);
    check(cudaDeviceSynchronize(), "simulating the panel");
    std::ranges::copy(K_, K.begin());
    return {.k = static_cast<std::int64_t>(clips[0]), .K = static_cast<std::int64_t>(clips[1])};
  }

  void keep_last() override { std::swap(first_, wealth_); }

  void write(Equilibrium& equilibrium) const {
    equilibrium.first_wealth = on_host(first_);
    equilibrium.last_wealth = on_host(wealth_);
  }

 private:
  static std::vector<Real> in_precision(const std::vector<double>& wealth) {
    return {wealth.begin(), wealth.end()};
  }

  static std::vector<double> on_host(const DeviceBuffer<Real>& wealth) {
    std::vector<Real> values(wealth.size());
    wealth.download(values);
    return {values.begin(), values.end()};
  }

  const Problem& problem_;
  Plan<Real> plan_;
  std::size_t words_;
  DeviceBuffer<std::uint8_t> bits_, states_;
  DeviceBuffer<double> policy_;
  DeviceBuffer<Real> first_, wealth_;
  DeviceBuffer<double> sums_;
  DeviceBuffer<unsigned long long> clips_;
  PinnedBuffer<double> K_;
};

/// Draws the shocks, creates the context and loads the kernels with it.
void start(const Problem& problem) {
  start_panel(problem);
  check(cudaFree(nullptr), "creating the context");
  static_cast<void>(Plan<float>::of(problem));
  static_cast<void>(Plan<double>::of(problem));
}

/// The most points for which the lines fit in a block's shared memory, where there is most: 227 kB.
constexpr Interval nk_of_lines{.lowest = 4, .highest = 2'700};

double work(const Problem& problem) {
  return work_with(problem, 2.4e3 + 2.0 * problem.grids.n_k + 0.005 * problem.N);
}

const RegisterSolver registered{
    {.name = "frontier_cuda",
     .origin = Origin::frontier,
     .summary = "all periods in one kernel, K's dimension collapsed once per period, few agents "
                "in registers: the best that we know on a GPU",
     .axes = {{"N"},
              {"shocks"},
              {"law_update"},
              {.name = "nk",
               .interval = nk_of_lines,
               .otherwise = "its lines are in shared memory; use cuda_software for more"}},
     .runs_on = RunsOn::gpu,
     .unavailable = numerics::no_gpu_here,
     .start = start,
     .solve_single = solve_with<Panel<float>>,
     .solve_double = solve_with<Panel<double>>,
     .work = work,
     .floor = floor_of_agents,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
