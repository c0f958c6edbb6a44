// The best panel that we know on GPUs: all periods in one kernel. K is common to all agents, so
// every block collapses each period's two surfaces along K to the cubics of two lines, in its
// shared memory; an agent reads its wealth and one cubic, and writes its wealth. Between periods
// the blocks exchange their sums, and each block adds them up itself, in the same order.
//
// If there are few agents, they stay in the registers of one cluster of blocks, whose
// synchronisation costs a tenth of the whole chip's. If there are many, they go through memory,
// forwards in even periods and backwards in odd ones: the next period still finds in the cache what
// the last one wrote last.
//
// Employment is drawn here, from the counters that the host would use: of many agents in each
// period, 128 to a thread, so that a bit for each is all that is stored; of few before the first
// period. Only a user's shocks are copied.
//
// Several GPUs divide the agents, and each runs this kernel. Once its own blocks have met, its
// first block writes its sum into every GPU's inbox, and all blocks wait for those in their own.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
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
#include "implementations/numerics/gpus.cuh"

namespace macrobench::krusell_smith {

namespace {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::Gpus;
using numerics::OnDevice;
using numerics::PinnedBuffer;

constexpr int warp = 32;
constexpr int most_threads = 1024;  // per block
constexpr unsigned least_threads = 256;
constexpr int most_warps = most_threads / warp;
constexpr int most_in_cluster = 16;  // blocks
constexpr unsigned all_lanes = 0xFFFFFFFF;

/// The unit of reads and writes.
template <class Real>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(Real);
  Real of[size];
};

/// Who is employed when: one bit per agent and period in memory, or what draws them.
struct EmploymentSource {
  const std::uint32_t* bits;           ///< shape T x words; null if they are drawn
  std::size_t words;                   ///< of a period
  std::uint32_t* drawn;                ///< this period's, of this GPU's agents
  const UnemploymentChances* chances;  ///< shape T
  std::uint64_t seed;
  std::uint32_t first_group;  ///< of this GPU's

  /// The bits of this GPU's agents in period t. If they are drawn, that is up to draw().
  [[nodiscard]] __device__ const std::uint32_t* of(int t) const {
    return bits == nullptr ? drawn : bits + static_cast<std::size_t>(t) * words + 4 * first_group;
  }

  /// Replaces the bits of period t - 1 at `place`, those of one of this GPU's groups, by period
  /// t's.
  __device__ void draw(std::uint32_t group, int t, uint4* place, int agents) const {
    const Employment now = draw_employment(
        {{in_order(place->x), in_order(place->y), in_order(place->z), in_order(place->w)}},
        chances[t], first_group + group, static_cast<std::uint32_t>(t), agents, seed);
    *place = make_uint4(in_order(now.word[0]), in_order(now.word[1]), in_order(now.word[2]),
                        in_order(now.word[3]));
  }

 private:
  /// In memory the bytes are in order, their bits reversed.
  [[nodiscard]] static __device__ std::uint32_t in_order(std::uint32_t word) {
    return __byte_perm(word, 0, 0x0123);
  }
};

/// A GPU's sum of a period, as another GPU gets it.
struct Letter {
  double sum;
  unsigned long long number;  ///< from 1; each GPU counts all that it has sent
};

/// What the blocks exchange their sums through.
struct Mail {
  double* sums;              ///< of blocks, shape 2 x blocks
  unsigned* arrivals;        ///< of blocks, in all periods so far; all of them run at once
  int gpu, gpus;             ///< this one's index, and how many there are
  Letter* const* inboxes;    ///< of every GPU, each in its own memory and of shape 2 x gpus
  unsigned long long first;  ///< number of this kernel's first letter
  int* lost;                 ///< set if somebody waited in vain
};

template <class Real>
struct Task {
  Grids grids;
  std::int64_t N;       ///< agents of all GPUs
  std::int64_t agents;  ///< of this one
  int T;
  double K_places;             ///< (n_K - 1) / (K_max - K_min)
  const double* policy;        ///< shape 4 x n_K x n_k
  const std::uint8_t* states;  ///< the aggregate state, shape T
  EmploymentSource shocks;
  const Real* first;  ///< wealth in the first period, of this GPU's agents
  Real* wealth;       ///< and in the last one
  Mail mail;
  double* K;                  ///< shape T; null if another GPU writes it
  unsigned long long* clips;  ///< of k and of K
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

/// Blocks of the whole chip, through its memory, and those of other chips through inboxes.
class Chip {
 public:
  __device__ explicit Chip(const Mail& mail) : mail_(mail), number_(mail.first) {}

  __device__ void send(double mine) {
    __shared__ double of_warp[most_warps];
    mine = sum_of_warp(mine);
    if (threadIdx.x % warp == 0) of_warp[threadIdx.x / warp] = mine;
    __syncthreads();
    if (threadIdx.x < warp) {
      const double of_block = sum_of(of_warp, static_cast<int>(blockDim.x / warp));
      if (threadIdx.x == 0) {
        mail_.sums[turn_ * gridDim.x + blockIdx.x] = of_block;
        Arrivals(*mail_.arrivals).fetch_add(1, cuda::memory_order_release);
      }
    }
  }

  __device__ double receive() {
    __shared__ double total;
    expected_ += gridDim.x;
    if (threadIdx.x == 0) wait_until(Arrivals(*mail_.arrivals), expected_);
    __syncthreads();
    if (threadIdx.x < warp) {
      double sum = sum_of(mail_.sums + turn_ * gridDim.x, static_cast<int>(gridDim.x));
      if (mail_.gpus > 1) sum = sum_of_gpus(sum);
      if (threadIdx.x == 0) total = sum;
    }
    __syncthreads();
    turn_ = 1 - turn_;
    ++number_;
    return total;
  }

 private:
  using Arrivals = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  using Letters = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;

  /// Waits until a count is as high as this, but not for ever: after some seconds, once in a
  /// kernel's life, the thread goes on, and says that it did. If it left, others would wait for it.
  template <class Count, class Number>
  __device__ void wait_until(Count count, Number number) {
    constexpr int most_looks = 10'000'000;
    int looks = is_lost_ ? most_looks : 0;
    while (count.load(cuda::memory_order_acquire) < number) {
      if (++looks < most_looks) continue;
      is_lost_ = true;
      *mail_.lost = 1;
      return;
    }
  }

  /// The GPUs' sums, added up in their order, by the first warp of a block. A lane sends to one GPU
  /// and hears from it.
  __device__ double sum_of_gpus(double mine) {
    const auto lane = static_cast<int>(threadIdx.x);
    double heard = 0;
    if (lane < mail_.gpus) {
      const int row = static_cast<int>(turn_) * mail_.gpus;
      if (blockIdx.x == 0) {
        Letter& sent = mail_.inboxes[lane][row + mail_.gpu];
        sent.sum = mine;
        Letters(sent.number).store(number_, cuda::memory_order_release);
      }
      Letter& letter = mail_.inboxes[mail_.gpu][row + lane];
      wait_until(Letters(letter.number), number_);
      heard = letter.sum;
    }
    double total = 0;
    for (int gpu = 0; gpu < mail_.gpus; ++gpu) total += __shfl_sync(all_lanes, heard, gpu);
    return total;
  }

  const Mail& mail_;
  unsigned turn_ = 0;
  unsigned expected_ = 0;  ///< arrivals
  unsigned long long number_;
  bool is_lost_ = false;
};

/// Blocks of the only cluster, each through the others' shared memory.
class Cluster {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
 public:
  __device__ explicit Cluster(const Mail& /*mail*/) {
    cooperative_groups::this_cluster().sync();
  }

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
  __device__ explicit Cluster(const Mail& /*mail*/) {}
  __device__ void send(double /*mine*/) {}
  __device__ double receive() {
    return 0;
  }
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

/// Writes a panel's employment as bits, one thread for each group of agents.
__global__ void draw_bits(const EmploymentSource shocks, int N, int T, uint4* bits) {
  const auto group = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t groups = shocks.words / 4;
  if (group >= groups) return;
  uint4 now = {};
  for (int t = 0; t < T; ++t) {
    shocks.draw(group, t, &now, N - agents_in_group * static_cast<int>(group));
    bits[static_cast<std::size_t>(t) * groups + group] = now;
  }
}

/// Writes the first wealth of the agents from `first` on.
template <class Real>
__global__ void begin_with(std::uint64_t first, std::int64_t agents, Real* wealth) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < agents;
       i += stride) {
    wealth[i] = static_cast<Real>(initial_wealth_of(first + static_cast<std::uint64_t>(i)));
  }
}

/// Agents that stay in registers, `count` per thread.
template <class R, bool is_seventh, int count>
class Held {
 public:
  using Real = R;

  __device__ explicit Held(const Task<Real>& task) : task_(task), places_(task.grids) {
    for (int n = 0; n < count; ++n) {
      k_[n] = agent(n) < task.agents ? task.first[agent(n)] : Real(0);
    }
  }

  __device__ double sum() const {
    double sum = 0;
    for (int n = 0; n < count; ++n) sum += static_cast<double>(k_[n]);
    return sum;
  }

  /// The part of period t that does not need K.
  __device__ void prepare(int t) {
    const std::uint32_t* words = task_.shocks.of(t);
    for (int n = 0; n < count; ++n) {
      place_[n] = places_.of(k_[n]);
      if (agent(n) < task_.agents) works_[n] = works(words[agent(n) / warp], agent(n) % warp);
    }
  }

  /// The rest of it; returns the sum of this thread's agents' wealth.
  __device__ double advance(const Lines<Real>& lines, int /*t*/, int& clips) {
    for (int n = 0; n < count; ++n) {
      if (agent(n) < task_.agents) k_[n] = lines.choose(place_[n], works_[n], clips);
    }
    return sum();
  }

  __device__ void write() const {
    for (int n = 0; n < count; ++n) {
      if (agent(n) < task_.agents) task_.wealth[agent(n)] = k_[n];
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
/// Their employment is drawn while the blocks wait for each other.
template <class R, bool is_seventh>
class Streamed {
 public:
  using Real = R;

  __device__ explicit Streamed(const Task<Real>& task)
      : task_(task),
        places_(task.grids),
        first_tile_(share_of(task.agents / tile, blockIdx.x)),
        end_tile_(share_of(task.agents / tile, blockIdx.x + 1)) {}

  __device__ double sum() const {
    double sum = 0;
    for (std::int64_t i = begin_of(first_tile_) + thread(); i < end(); i += threads()) {
      sum += static_cast<double>(task_.first[i]);
    }
    return sum;
  }

  /// No thread of the block may still need the employment of the period before.
  __device__ void prepare(int t) {
    if (task_.shocks.bits != nullptr || t + 1 == task_.T) return;
    const auto groups = static_cast<int>((end() + agents_in_group - 1) / agents_in_group);
    for (int n = first_tile_ * groups_of_tile + thread(); n < groups; n += threads()) {
      task_.shocks.draw(static_cast<std::uint32_t>(n), t,
                        reinterpret_cast<uint4*>(task_.shocks.drawn) + n, agents_in_group);
    }
  }

  __device__ double advance(const Lines<Real>& lines, int t, int& clips) {
    const std::uint32_t* words = task_.shocks.of(t);
    const Real* from = t == 0 ? task_.first : task_.wealth;
    double sum = 0;
    for (int n = first_tile_ + thread() / warp; n < end_tile_; n += threads() / warp) {
      const int now = t % 2 == 0 ? n : first_tile_ + end_tile_ - 1 - n;
      const std::int64_t i = begin_of(now) + thread() % warp * width;
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
          const int bit = thread() % warp * width % warp + m;
          mine = lines.choose(places_.of(mine), works(word[v], bit), clips);
          of_tile += mine;
        }
        *reinterpret_cast<Vector<Real>*>(task_.wealth + i + v * stride) = k[v];
      }
      sum += static_cast<double>(of_tile);
    }
    for (std::int64_t i = begin_of(end_tile_) + thread(); i < end(); i += threads()) {
      const bool working = works(words[i / warp], static_cast<int>(i % warp));
      task_.wealth[i] = lines.choose(places_.of(from[i]), working, clips);
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
  static constexpr int groups_of_tile = tile / agents_in_group;  ///< so that a group is one block's

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int threads() { return static_cast<int>(blockDim.x); }

  /// The first of `tiles` that is block b's.
  __device__ static int share_of(std::int64_t tiles, unsigned b) {
    return static_cast<int>(tiles * b / gridDim.x);
  }
  __device__ static std::int64_t begin_of(int its_tile) { return std::int64_t{its_tile} * tile; }
  /// The end of the block's agents.
  [[nodiscard]] __device__ std::int64_t end() const {
    return blockIdx.x + 1 == gridDim.x ? task_.agents : begin_of(end_tile_);
  }

  const Task<Real>& task_;
  Places<Real, is_seventh> places_;
  int first_tile_, end_tile_;
};

template <class Blocks, class Agents>
__global__ void __launch_bounds__(most_threads)
    simulate_all_periods(const Task<typename Agents::Real> task) {
  extern __shared__ __align__(16) unsigned char shared[];
  Lines<typename Agents::Real> lines(shared, task.grids);
  Blocks blocks(task.mail);
  Agents agents(task);
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0 && task.K != nullptr;
  const double share = 1.0 / static_cast<double>(task.N);
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

  /// The best for so many agents on this GPU. Throws std::runtime_error if the lines are too long
  /// for its shared memory.
  static Plan of(const Problem& problem, std::int64_t agents) {
    return problem.grids.theta == 7 ? of_theta<true>(problem, agents)
                                    : of_theta<false>(problem, agents);
  }

  void launch(Task<Real> task) const {
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(attribute);
    void* arguments[] = {&task};
    check(cudaLaunchKernelExC(&config, address(), arguments), "launching the panel");
  }

 private:
  template <bool is_seventh>
  static Plan of_theta(const Problem& problem, std::int64_t agents) {
    const std::size_t bytes = Lines<Real>::bytes(problem.grids.n_k);
    if (problem.gpus == 1 && device_attribute(cudaDevAttrClusterLaunch) != 0) {
      for (const auto& [kernel, agents_a_thread] :
           {std::pair{Kernel{simulate_all_periods<Cluster, Held<Real, is_seventh, 1>>}, 1},
            std::pair{Kernel{simulate_all_periods<Cluster, Held<Real, is_seventh, 4>>}, 4}}) {
        Plan plan{kernel, true, most_in_cluster, most_threads, bytes};
        plan.allow();
        plan.shrink_cluster();
        const std::int64_t places = std::int64_t{plan.blocks} * agents_a_thread;
        const std::int64_t threads = (agents + places - 1) / places;
        if (threads > most_threads) continue;
        plan.threads = std::max(least_threads, (static_cast<unsigned>(threads) + 31) / 32 * 32);
        return plan;
      }
    }
    const std::int64_t enough = std::max(std::int64_t{1}, agents / (2 * most_threads));
    const auto blocks =
        std::min<std::int64_t>(enough, device_attribute(cudaDevAttrMultiProcessorCount));
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

/// Whether employment and the first wealth are made where they are used.
bool are_drawn(const Problem& problem) {
  return problem.shocks.empty() && problem.wealth.empty();
}

/// The shocks as far as the panel takes them from the host.
std::shared_ptr<const Shocks> shocks_for(const Problem& problem) {
  return are_drawn(problem) ? aggregate_of(problem) : shocks_of(problem);
}

/// One GPU's agents.
struct Share {
  int gpu;
  std::int64_t first, count;

  /// Whole tiles of either precision, but for the last GPU's.
  static Share of(const Problem& problem, int gpu) {
    constexpr std::int64_t unit = 256;
    const auto begin = [&](int g) {
      return g == problem.gpus ? problem.N : problem.N / unit * g / problem.gpus * unit;
    };
    return {gpu, begin(gpu), begin(gpu + 1) - begin(gpu)};
  }
};

/// The panel of one GPU's agents.
template <class Real>
class Part {
 public:
  /// `given` is all agents' first wealth, or empty if it is drawn.
  Part(const Problem& problem, const Shocks& shocks, const Share& share,
       const std::vector<double>& given)
      : problem_(problem),
        share_(share),
        plan_(Plan<Real>::of(problem, share.count)),
        words_(shocks.stride / sizeof(std::uint32_t)),
        bits_(bits_of(shocks)),
        chances_(chances_of_unemployment(problem, shocks)),
        drawn_(has_bits() ? 0 : shock_stride(share.count) / sizeof(std::uint32_t)),
        states_(shocks.states),
        policy_(problem.grids.size()),
        first_(static_cast<std::size_t>(share.count)),
        wealth_(first_.size()),
        sums_(2 * plan_.blocks),
        arrivals_(1),
        inbox_(2 * static_cast<std::size_t>(problem.gpus)),
        inboxes_(static_cast<std::size_t>(problem.gpus)),
        clips_(2) {
    if (problem.gpus > 1) numerics::reach_peers(problem.gpus);
    check(cudaMemset(inbox_.data(), 0, inbox_.size() * sizeof(Letter)), "emptying the inbox");
    draw();
    if (given.empty()) {
      begin_with<<<1024, 256>>>(static_cast<std::uint64_t>(share.first), share.count,
                                first_.data());
      check(cudaGetLastError(), "launching the first wealth");
    } else {
      const auto its = given.begin() + share.first;
      first_.upload(std::vector<Real>(its, its + share.count));
    }
    check(cudaDeviceSynchronize(), "preparing the panel");
  }

  [[nodiscard]] int gpu() const { return share_.gpu; }
  [[nodiscard]] Letter* inbox() { return inbox_.data(); }
  void learn(const std::vector<Letter*>& inboxes) { inboxes_.upload(inboxes); }

  void prepare(const std::vector<double>& policy) {
    policy_.upload(policy);
    check(cudaMemset(clips_.data(), 0, 2 * sizeof(unsigned long long)), "resetting clips");
    check(cudaMemset(arrivals_.data(), 0, sizeof(unsigned)), "resetting arrivals");
  }

  void launch(unsigned long long first_letter, double* K, int* lost) {
    const Grids& grids = problem_.grids;
    plan_.launch({.grids = grids,
                  .N = problem_.N,
                  .agents = share_.count,
                  .T = problem_.T,
                  .K_places = (grids.n_K - 1) / (grids.K_max - grids.K_min),
                  .policy = policy_.data(),
                  .states = states_.data(),
                  .shocks = shocks(has_bits()),
                  .first = first_.data(),
                  .wealth = wealth_.data(),
                  .mail = {.sums = sums_.data(),
                           .arrivals = arrivals_.data(),
                           .gpu = share_.gpu,
                           .gpus = problem_.gpus,
                           .inboxes = inboxes_.data(),
                           .first = first_letter,
                           .lost = lost},
                  .K = share_.gpu == 0 ? K : nullptr,
                  .clips = clips_.data()});
  }

  void wait(Clips& clips) const {
    check(cudaDeviceSynchronize(), "simulating the panel");
    unsigned long long its[2];
    clips_.download(its);
    clips.k += static_cast<std::int64_t>(its[0]);
    clips.K += static_cast<std::int64_t>(its[1]);
  }

  void keep_last() { std::swap(first_, wealth_); }

  void write(Equilibrium& equilibrium) const {
    write(first_, equilibrium.first_wealth);
    write(wealth_, equilibrium.last_wealth);
  }

 private:
  /// Few agents' employment is all drawn at first.
  [[nodiscard]] bool has_bits() const { return plan_.is_cluster || !are_drawn(problem_); }

  [[nodiscard]] DeviceBuffer<std::uint8_t> bits_of(const Shocks& shocks) const {
    if (!are_drawn(problem_)) return DeviceBuffer<std::uint8_t>(shocks.bits);
    const auto T = static_cast<std::size_t>(problem_.T);
    return DeviceBuffer<std::uint8_t>(plan_.is_cluster ? T * shocks.stride : 0);
  }

  [[nodiscard]] EmploymentSource shocks(bool from_bits) {
    return {.bits = from_bits ? reinterpret_cast<const std::uint32_t*>(bits_.data()) : nullptr,
            .words = words_,
            .drawn = drawn_.data(),
            .chances = chances_.data(),
            .seed = static_cast<std::uint64_t>(problem_.seed),
            .first_group = static_cast<std::uint32_t>(share_.first / agents_in_group)};
  }

  void draw() {
    if (!has_bits()) {
      check(cudaMemset(drawn_.data(), 0, drawn_.size() * sizeof(std::uint32_t)),
            "preparing employment");
    } else if (are_drawn(problem_)) {
      constexpr unsigned threads = 32;
      const auto groups = static_cast<unsigned>(words_ / 4);
      draw_bits<<<(groups + threads - 1) / threads, threads>>>(
          shocks(false), problem_.N, problem_.T, reinterpret_cast<uint4*>(bits_.data()));
      check(cudaGetLastError(), "launching the draw of employment");
    }
  }

  /// Copies the wealth of those agents that a solution keeps.
  void write(const DeviceBuffer<Real>& wealth, std::vector<double>& to) const {
    const std::int64_t stride = kept_of(problem_).group_stride;
    if (stride == 1) {
      std::vector<Real> values(wealth.size());
      wealth.download(values);
      std::ranges::copy(values, to.begin() + share_.first);
      return;
    }
    // Whole groups: rows of a matrix whose other columns are not kept.
    const std::int64_t first_group = share_.first / agents_in_group;
    const auto rows_before = [&](std::int64_t group) {
      return std::min<std::int64_t>((group + stride - 1) / stride,
                                    std::ssize(to) / agents_in_group);
    };
    const std::int64_t first = rows_before(first_group);
    const std::int64_t rows = rows_before(first_group + share_.count / agents_in_group) - first;
    if (rows <= 0) return;
    constexpr std::size_t row = agents_in_group * sizeof(Real);
    std::vector<Real> values(static_cast<std::size_t>(rows * agents_in_group));
    check(cudaMemcpy2D(values.data(), row,
                       wealth.data() + (first * stride - first_group) * agents_in_group,
                       static_cast<std::size_t>(stride) * row, row, static_cast<std::size_t>(rows),
                       cudaMemcpyDeviceToHost),
          "copying the sample to the host");
    std::ranges::copy(values, to.begin() + first * agents_in_group);
  }

  const Problem& problem_;
  Share share_;
  Plan<Real> plan_;
  std::size_t words_;
  DeviceBuffer<std::uint8_t> bits_;
  DeviceBuffer<UnemploymentChances> chances_;
  DeviceBuffer<std::uint32_t> drawn_;
  DeviceBuffer<std::uint8_t> states_;
  DeviceBuffer<double> policy_;
  DeviceBuffer<Real> first_, wealth_;
  DeviceBuffer<double> sums_;
  DeviceBuffer<unsigned> arrivals_;
  DeviceBuffer<Letter> inbox_;
  DeviceBuffer<Letter*> inboxes_;
  DeviceBuffer<unsigned long long> clips_;
};

template <class Real>
class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks)
      : kept_(static_cast<std::size_t>(kept_of(problem).N)),
        K_(static_cast<std::size_t>(problem.T)),
        lost_(1) {
    const std::vector<double> given =
        are_drawn(problem) ? std::vector<double>() : first_wealth(problem, shocks);
    std::vector<Letter*> inboxes;
    for (int gpu = 0; gpu < problem.gpus; ++gpu) {
      const OnDevice its(gpu);
      parts_.push_back(
          std::make_unique<Part<Real>>(problem, shocks, Share::of(problem, gpu), given));
      inboxes.push_back(parts_.back()->inbox());
    }
    for (const auto& part : parts_) {
      const OnDevice its(part->gpu());
      part->learn(inboxes);
    }
    // So that a later solution cannot find earlier values there.
    std::ranges::fill(K_, std::numeric_limits<double>::quiet_NaN());
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    *lost_.begin() = 0;
    for (const auto& part : parts_) {
      const OnDevice its(part->gpu());
      part->prepare(policy);
    }
    // Nothing may come between these: each kernel waits for the others.
    for (const auto& part : parts_) {
      const OnDevice its(part->gpu());
      part->launch(letters_ + 1, K_.data(), lost_.data());
    }
    letters_ += K.size();
    Clips clips;
    for (const auto& part : parts_) {
      const OnDevice its(part->gpu());
      part->wait(clips);
    }
    if (*lost_.begin() != 0) {
      throw std::runtime_error(
          "a GPU waited for seconds, in vain, for the sum of other blocks or of another GPU: run "
          "it "
          "again, or take gpus = 1");
    }
    std::ranges::copy(K_, K.begin());
    return clips;
  }

  void keep_last() override {
    for (const auto& part : parts_) part->keep_last();
  }

  void write(Equilibrium& equilibrium) const {
    equilibrium.first_wealth.resize(kept_);
    equilibrium.last_wealth.resize(kept_);
    for (const auto& part : parts_) {
      const OnDevice its(part->gpu());
      part->write(equilibrium);
    }
  }

 private:
  std::vector<std::unique_ptr<Part<Real>>> parts_;
  std::size_t kept_;  ///< agents whose wealth a solution keeps
  PinnedBuffer<double> K_;
  PinnedBuffer<int> lost_;
  unsigned long long letters_ = 0;  ///< that each GPU has sent
};

template <class Real>
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  solve_with<Panel<Real>>(problem, stages, equilibrium, shocks_for);
}

/// Draws the aggregate states, creates the contexts and loads the kernels with them.
void start(const Problem& problem) {
  start_panel(problem, shocks_for);
  Gpus(problem.gpus).each([&](const numerics::Device& gpu) {
    check(cudaFree(nullptr), "creating the context");
    const std::int64_t agents = Share::of(problem, static_cast<int>(gpu.index())).count;
    static_cast<void>(Plan<float>::of(problem, agents));
    static_cast<void>(Plan<double>::of(problem, agents));
  });
  Gpus::connect(problem.gpus, numerics::Link::peer_memory);
}

/// Its GPUs write into each other's memory.
std::string unavailable_on_gpus(const Problem& problem) {
  const std::string why = numerics::too_few_gpus(problem);
  return why.empty() ? numerics::no_peers(problem.gpus) : why;
}

/// The most points for which the lines fit in a block's shared memory, where there is most: 227 kB.
constexpr Interval nk_of_lines{.lowest = 4, .highest = 2'700};

double work(const Problem& problem) {
  return work_with(problem, 2.4e3 + 2.0 * problem.grids.n_k + 0.005 * problem.N / problem.gpus);
}

const RegisterSolver registered{
    {.name = "frontier_cuda",
     .origin = Origin::frontier,
     .summary = "all periods in one kernel, K's dimension collapsed once per period, few agents "
                "in registers: the best that we know on GPUs",
     .axes = {{"N"},
              {.name = "gpus",
               .interval = Interval{.lowest = 1, .highest = warp},
               .all = numerics::visible_gpus},
              {"shocks"},
              {"law_update"},
              {.name = "nk",
               .interval = nk_of_lines,
               .otherwise = "its lines are in shared memory; use cuda_software for more"}},
     .runs_on = RunsOn::gpu,
     .unavailable = numerics::no_gpu_here,
     .problem_unavailable = unavailable_on_gpus,
     .start = start,
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .work = work,
     .floor = floor_of_drawing_agents,
     .notes = Gpus::notes,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
