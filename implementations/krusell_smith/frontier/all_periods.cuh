#pragma once

// What the panels on GPUs share that simulate all periods in one kernel: the draws, a period's
// choices, and the loop over the periods. How blocks exchange their sums, and where the agents are,
// are parameters of the loop.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "implementations/krusell_smith/frontier/collapsed.hpp"
#include "implementations/krusell_smith/input/employment.hpp"
#include "implementations/krusell_smith/input/initial_wealth.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"
#include "implementations/numerics/parallel/device.cuh"

namespace macrobench::krusell_smith {

/// A panel method on GPUs.
class GpuPanel : public PanelMethod {
 public:
  /// Hands over the cross-sections that a solution keeps.
  virtual void write(Equilibrium& equilibrium) const = 0;
};

/// Whether employment and the first wealth are made where they are used.
inline bool are_drawn(const Problem& problem) {
  return problem.shocks.empty() && problem.wealth.empty();
}

namespace all_periods {

using numerics::all_lanes;
using numerics::device_attribute;
using numerics::sum_of_warp;
using numerics::warp;

inline constexpr int most_threads = 1024;  // per block
inline constexpr int most_warps = most_threads / warp;

/// The unit of reads and writes.
template <class Real>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(Real);
  Real of[size];
};

/// Who is employed when: one bit per agent and period, and what draws them.
struct EmploymentSource {
  std::uint32_t* bits;  ///< of this GPU's agents in the first period
  std::size_t words;    ///< from there to the next one's; 0 if these take the same place
  bool are_known;       ///< else a period's are up to draw()
  const UnemploymentChances* chances;  ///< shape T
  std::uint64_t seed;
  std::uint32_t first_group;  ///< of this GPU's

  /// The bits of this GPU's agents in period t.
  [[nodiscard]] __device__ std::uint32_t* of(int t) const {
    return bits + static_cast<std::size_t>(t) * words;
  }

  /// Those of one of its groups, given the ones of the period before.
  [[nodiscard]] __device__ uint4 draw(std::uint32_t group, int t, uint4 before, int agents) const {
    const Employment now = draw_employment(
        {{in_order(before.x), in_order(before.y), in_order(before.z), in_order(before.w)}},
        chances[t], first_group + group, static_cast<std::uint32_t>(t), agents, seed);
    return make_uint4(in_order(now.word[0]), in_order(now.word[1]), in_order(now.word[2]),
                      in_order(now.word[3]));
  }

 private:
  /// In memory the bytes are in order, their bits reversed.
  [[nodiscard]] static __device__ std::uint32_t in_order(std::uint32_t word) {
    return __byte_perm(word, 0, 0x0123);
  }
};

/// What a panel of a batch has to itself: an economy's.
struct Own {
  int economy;
  bool is_swapped;  ///< the first wealth is where the last would be, and the other way round
  bool is_kept;     ///< whether its last wealth is
  double K_min, K_max;
};

/// What all panels of a launch share. Arrays of all panels are arguments of the kernel, not members
/// of Own, so that the compiler knows them to be in global memory.
template <class Real>
struct Task {
  Grids grids;  ///< of a batch except for the range of K
  PanelInterpolation interpolation;
  std::int64_t N;       ///< agents of all GPUs
  std::int64_t agents;  ///< of this one
  int T;
  int moves;                   ///< of the problem
  const std::uint8_t* states;  ///< the aggregate state, shape T
  EmploymentSource shocks;
  const Own* own;             ///< by panel; null if there is one
  const double* policies;     ///< with their bends, see with_bends(); by panel
  std::size_t policy_size;    ///< numbers of each
  bool copies_policy;         ///< to shared memory
  Real* first;                ///< wealth in the first period, of this GPU's agents; by economy
  Real* wealth;               ///< and in the last one
  double* K;                  ///< shape T, by panel; null if another GPU writes it
  unsigned long long* clips;  ///< of k and of K, by panel
};

/// One panel's piece of that.
template <class Real>
struct Mine {
  const double* policy;
  const Real* first;
  Real* wealth;  ///< null if it is not kept
  double* K;
  unsigned long long* clips;
  double K_min, K_max;

  /// The only panel's.
  __device__ explicit Mine(const Task<Real>& task)
      : policy(task.policies),
        first(task.first),
        wealth(task.wealth),
        K(task.K),
        clips(task.clips),
        K_min(task.grids.K_min),
        K_max(task.grids.K_max) {}

  __device__ Mine(const Task<Real>& task, unsigned panel) : Mine(task) {
    const Own own = task.own[panel];
    const std::int64_t agents = own.economy * task.agents;
    policy += panel * task.policy_size;
    first = (own.is_swapped ? task.wealth : task.first) + agents;
    wealth = own.is_kept ? (own.is_swapped ? task.first : task.wealth) + agents : nullptr;
    K += static_cast<std::size_t>(panel) * task.T;
    clips += 2 * panel;
    K_min = own.K_min;
    K_max = own.K_max;
  }
};

/// The sum of `count` numbers, by a warp; all its lanes get it.
__device__ inline double sum_of(const double* numbers, int count) {
  double mine = 0;
  for (int n = static_cast<int>(threadIdx.x % warp); n < count; n += warp) mine += numbers[n];
  return sum_of_warp(mine);
}

/// What the agents of a period choose, by employment: cubics in shared memory. Those of doubles
/// are stored in two separate halves, so that neighbours are in different banks; straight lines
/// need only the first.
template <class Real, bool in_index>
class Lines {
 public:
  MACROBENCH_HOST_DEVICE static std::size_t bytes(int n_k) {
    return static_cast<std::size_t>(n_k) *
           (2 * sizeof(Cubic<Real>) + (in_index ? 0 : 2) * sizeof(double));
  }

  /// By the whole block. Refers to the grids, but not for the range of K.
  __device__ Lines(unsigned char* shared, const Grids& grids, double K_min, double K_max,
                   PanelInterpolation interpolation)
      : grids_(grids),
        is_spline_(interpolation == PanelInterpolation::spline),
        K_min_(K_min),
        K_places_((grids.n_K - 1) / (K_max - K_min)),
        pieces_(reinterpret_cast<Vector<Real>*>(shared)),
        k_(reinterpret_cast<double*>(shared + 2 * grids.n_k * sizeof(Cubic<Real>))),
        per_k_(k_ + grids.n_k) {
    if constexpr (!in_index) {
      for (int i = static_cast<int>(threadIdx.x); i < grids.n_k;
           i += static_cast<int>(blockDim.x)) {
        k_[i] = grids.k(i);
        if (i + 1 < grids.n_k) per_k_[i] = 1 / (grids.k(i + 1) - grids.k(i));
      }
      __syncthreads();
    }
  }

  /// At K and one aggregate state, by the whole block, none of whose threads still chooses. A
  /// line's nodes are made anew for each cubic: that takes less than to wait for each other's.
  __device__ void collapse(const double* policy, int a, double K) {
    if (static_cast<int>(threadIdx.x) < 2 * grids_.n_k) {
      set_cubics(policy, a, (K - K_min_) * K_places_);
    }
    __syncthreads();
  }

  /// What an agent with wealth k at this place chooses; `clips` grows if it had to be clipped.
  __device__ Real choose(Real k, const Place<Real>& place, bool works, int& clips) const {
    const int n = place.below + (works ? grids_.n_k : 0);
    Real chosen;
    if constexpr (in_index) {
      chosen = cubic(n)(place.t);
    } else if (is_spline_) {
      chosen = cubic(n)(k - static_cast<Real>(k_[place.below]));
    } else {
      const Vector<Real> first = pieces_[n];
      chosen = first.of[1] * k + first.of[0];
    }
    const auto k_max = static_cast<Real>(grids_.k_max);
    // Positive numbers have the order of their bits; negative ones come after them.
    if (bits(chosen) <= bits(k_max)) return chosen;
    const Real within = min(max(chosen, Real(0)), k_max);
    clips += within != chosen ? 1 : 0;
    return within;
  }

 private:
  static constexpr int pieces = 4 / Vector<Real>::size;

  static __device__ unsigned bits(float x) { return __float_as_uint(x); }
  static __device__ unsigned long long bits(double x) {
    return static_cast<unsigned long long>(__double_as_longlong(x));
  }

  /// All cubics, at an index x of K.
  __device__ void set_cubics(const double* policy, int a, double x) {
    const int n_k = grids_.n_k;
    if constexpr (in_index) {
      const LinesAround around(x);
      each([&](int n, int e, int i) {
        const auto node = [&](int at) {
          return around.node(grids_, policy, state_of(a, e), clamp_index(at, n_k));
        };
        store(n, Cubic<Real>::between(node(i - 1), node(i), node(i + 1), node(i + 2)));
      });
    } else {
      const LineInK line(grids_, x, is_spline_ ? 1 / K_places_ : 0);
      each([&](int n, int e, int i) {
        const int s = state_of(a, e);
        const double here = line.node(grids_, policy, s, i);
        if (i + 1 == n_k) {  // only k_max is beyond the last interval
          store(n, {{static_cast<Real>(here), 0, 0, 0}});
          return;
        }
        const double next = line.node(grids_, policy, s, i + 1);
        if (is_spline_) {
          store(n, Cubic<Real>::spline(k_[i + 1] - k_[i], per_k_[i], here, next,
                                       line.bend(grids_, policy, s, i),
                                       line.bend(grids_, policy, s, i + 1)));
        } else {
          store(n, Cubic<Real>::line(k_[i], per_k_[i], here, next));
        }
      });
    }
  }

  /// Calls work(n, e, i) for the n-th node, at k_i of the line of e.
  template <class Work>
  __device__ void each(const Work& work) const {
    const int n_k = grids_.n_k;
    for (int n = static_cast<int>(threadIdx.x); n < 2 * n_k; n += static_cast<int>(blockDim.x)) {
      const int e = n < n_k ? unemployed : employed;
      work(n, e, n - e * n_k);
    }
  }

  __device__ void store(int n, const Cubic<Real>& cubic) {
    for (int p = 0; p < pieces; ++p) {
      Vector<Real> piece;
      for (int c = 0; c < Vector<Real>::size; ++c) piece.of[c] = cubic.c[p * piece.size + c];
      pieces_[p * 2 * grids_.n_k + n] = piece;
    }
  }
  [[nodiscard]] __device__ Cubic<Real> cubic(int n) const {
    Cubic<Real> cubic;
    for (int p = 0; p < pieces; ++p) {
      const Vector<Real> piece = pieces_[p * 2 * grids_.n_k + n];
      for (int c = 0; c < Vector<Real>::size; ++c) cubic.c[p * piece.size + c] = piece.of[c];
    }
    return cubic;
  }

  const Grids& grids_;
  bool is_spline_;  ///< else straight
  double K_min_, K_places_;
  Vector<Real>* pieces_;  ///< shape pieces x 2 x n_k
  double* k_;             ///< shape n_k
  double* per_k_;         ///< 1 / (k_(i+1) - k_i), shape n_k
};

/// Whether the n-th of the agents whose shocks are in `word` is employed.
__device__ inline bool works(std::uint32_t word, int n) {
  return (word >> (n ^ 7) & 1) != 0;  // bytes are in order, their bits reversed
}

/// Draws what each period makes of those who worked before it, into `shocks`, and of those who did
/// not, into `others`: a thread has one group of agents in one period. Neither needs the other
/// periods.
inline __global__ void draw_each(const EmploymentSource shocks, const EmploymentSource others,
                                 int N, int T) {
  const auto groups = static_cast<unsigned>(shocks.words / 4);
  const auto n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= groups * static_cast<unsigned>(T)) return;
  const unsigned group = n % groups;
  const int t = static_cast<int>(n / groups);
  const int agents = N - agents_in_group * static_cast<int>(group);
  const auto draw = [&](const EmploymentSource& into, unsigned before) {
    const uint4 all = make_uint4(before, before, before, before);
    reinterpret_cast<uint4*>(into.of(t))[group] = into.draw(group, t, all, agents);
  };
  draw(shocks, ~0U);
  draw(others, 0U);
}

/// Goes through the periods, a thread with one word of agents. A batch of periods is read before
/// it is needed.
inline __global__ void join_periods(const EmploymentSource shocks, const EmploymentSource others,
                                    int T) {
  constexpr int batch = 16;
  const auto word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= shocks.words) return;
  std::uint32_t now = 0;
  for (int first = 0; first < T; first += batch) {
    std::uint32_t if_employed[batch];
    std::uint32_t if_unemployed[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      if_employed[n] = first + n < T ? shocks.of(first + n)[word] : 0;
      if_unemployed[n] = first + n < T ? others.of(first + n)[word] : 0;
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      now = (now & if_employed[n]) | (~now & if_unemployed[n]);
      if (first + n < T) shocks.of(first + n)[word] = now;
    }
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

/// All periods. `Blocks` are those of one panel: add() their agents' wealth, then send(), and
/// receive() the sum of all. `Agents` have the rest of a period.
template <class Blocks, class Agents>
__global__ void __launch_bounds__(Agents::most_threads)
    simulate(const Task<typename Agents::Real> task, const typename Blocks::Mail mail) {
  using Real = typename Agents::Real;
  extern __shared__ __align__(16) unsigned char shared[];
  Blocks blocks(task.agents, mail);
  const Mine<Real> mine = blocks.mine(task);
  Lines<Real, Agents::in_index> lines(shared, task.grids, mine.K_min, mine.K_max,
                                      task.interpolation);
  const std::size_t of_lines = lines.bytes(task.grids.n_k);
  const std::size_t copied = task.copies_policy ? task.policy_size : 0;
  Agents agents(task, mine, blocks, shared + of_lines + copied * sizeof(double));
  const double* policy = mine.policy;
  if (task.copies_policy) {
    // Every period reads it, and nothing else that is read displaces it there.
    auto* const copy = reinterpret_cast<double*>(shared + of_lines);
    for (std::size_t n = threadIdx.x; n < copied; n += blockDim.x) copy[n] = policy[n];
    policy = copy;
  }
  const bool is_first = blocks.rank() == 0 && threadIdx.x == 0 && mine.K != nullptr;
  const double share = 1.0 / static_cast<double>(task.N);
  int clips_of_k = 0;
  int clips_of_K = 0;

  agents.begin(blocks);
  blocks.send();
  for (int t = 0;; ++t) {
    if (t == task.T) {
      blocks.receive();  // No block may end while others send.
      break;
    }
    agents.prepare(t);
    const int a = task.states[t];
    const double mean = blocks.receive() * share;
    const double K = mean < mine.K_min ? mine.K_min : mean > mine.K_max ? mine.K_max : mean;
    if (is_first) {
      mine.K[t] = K;
      clips_of_K += K != mean ? 1 : 0;
    }
    if (t == task.moves) break;
    lines.collapse(policy, a, K);
    agents.advance(blocks, lines, t, clips_of_k);
    blocks.send();
  }
  agents.write();
  clips_of_k = sum_of_warp(clips_of_k);
  if (threadIdx.x % warp == 0 && clips_of_k > 0) {
    atomicAdd(mine.clips, static_cast<unsigned long long>(clips_of_k));
  }
  if (is_first) mine.clips[1] = static_cast<unsigned long long>(clips_of_K);
}

/// Calls function<is_seventh, in_index>() as the problem's panel finds places and interpolates.
template <class Function>
auto with_interpolation(const Problem& problem, const Function& function) {
  const bool is_seventh = problem.grids.theta == 7;
  if (problem.panel_interpolation == PanelInterpolation::catmull_rom) {
    return is_seventh ? function.template operator()<true, true>()
                      : function.template operator()<false, true>();
  }
  return is_seventh ? function.template operator()<true, false>()
                    : function.template operator()<false, false>();
}

/// Such a kernel, and how it is launched.
template <class Real, class Mail>
struct Launch {
  void (*kernel)(Task<Real>, Mail);
  unsigned blocks;   ///< of a panel
  bool is_cluster;   ///< else all blocks of the launch must run at once
  unsigned threads;  ///< of a block
  std::size_t shared_bytes;
  bool copies_policy = false;  ///< to shared memory

  /// Loads the kernel and grants it its shared memory. Throws std::runtime_error if that is more
  /// than there is.
  void allow() const {
    using numerics::check;
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, address()), "loading the panel");
    const auto most =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    if (shared_bytes + attributes.sharedSizeBytes > most) {
      throw std::runtime_error("the lines over k take " + std::to_string(shared_bytes) +
                               " bytes of shared memory, of which this GPU's blocks have " +
                               std::to_string(most) + ": take a smaller nk, or cuda_software");
    }
    // All that there is, because another launch of the same kernel can take more.
    check(cudaFuncSetAttribute(address(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(most - attributes.sharedSizeBytes)),
          "asking for shared memory");
    if (!is_cluster) return;
    check(cudaFuncSetAttribute(address(), cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared),
          "asking for shared memory");
    check(cudaFuncSetAttribute(address(), cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "asking for a large cluster");
  }

  /// Of one cluster of such blocks, the most that the GPU can have, up to `blocks`.
  [[nodiscard]] unsigned most_in_cluster() const {
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(1, attribute);
    int most = 0;
    numerics::check(cudaOccupancyMaxPotentialClusterSize(&most, address(), &config),
                    "asking how large a cluster can be");
    return most < 1 ? 1U : std::min(blocks, static_cast<unsigned>(most));
  }

  void operator()(unsigned panels, Task<Real> task, Mail mail) const {
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = configuration(panels, attribute);
    void* arguments[] = {&task, &mail};
    numerics::check(cudaLaunchKernelExC(&config, address(), arguments), "launching the panel");
  }

 private:
  [[nodiscard]] const void* address() const { return reinterpret_cast<const void*>(kernel); }

  [[nodiscard]] cudaLaunchConfig_t configuration(unsigned panels,
                                                 cudaLaunchAttribute& attribute) const {
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
    config.gridDim = dim3(panels * blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return config;
  }
};

/// A panel's inputs on a GPU: the shocks of its agents, and the aggregate states.
class Inputs {
 public:
  /// Of `count` agents of the problem's from `first` on. If the problem draws them, `at_first` says
  /// whether the bits of all periods are drawn here. Else a panel draws each period's: the first
  /// panel alone, if there is room to keep them.
  Inputs(const Problem& problem, const Shocks& shocks, std::int64_t first, std::int64_t count,
         bool at_first)
      : seed_(static_cast<std::uint64_t>(problem.seed)),
        first_group_(static_cast<std::uint32_t>(first / agents_in_group)),
        are_known_(!are_drawn(problem)),
        stride_(are_known_ ? shocks.stride : shock_stride(count)),
        has_all_(are_known_ || at_first ||
                 (problem.stage == Stage::all && has_room(problem, count))),
        begin_(are_known_ ? static_cast<std::size_t>(first) / 8 : 0),
        bits_(are_known_ ? numerics::DeviceBuffer<std::uint8_t>(shocks.bits)
                         : numerics::DeviceBuffer<std::uint8_t>(
                               stride_ * (has_all_ ? static_cast<std::size_t>(problem.T) : 1))),
        chances_(chances_of_unemployment(problem, shocks)),
        states_(shocks.states) {
    if (are_known_) return;
    if (at_first) {
      others_ = numerics::DeviceBuffer<std::uint8_t>(bits_.size());
      EmploymentSource others = employment();
      others.bits = reinterpret_cast<std::uint32_t*>(others_.data());
      const auto launch = [&](std::size_t work, const auto& kernel, auto... arguments) {
        constexpr unsigned threads = 128;
        kernel<<<static_cast<unsigned>((work + threads - 1) / threads), threads>>>(
            employment(), others, arguments...);
        numerics::check(cudaGetLastError(), "launching the draw of employment");
      };
      const std::size_t groups = 8 * stride_ / agents_in_group;
      launch(groups * static_cast<std::size_t>(problem.T), draw_each, problem.N, problem.T);
      launch(4 * groups, join_periods, problem.T);
      are_known_ = true;
    } else {
      numerics::check(cudaMemset(bits_.data(), 0, stride_), "preparing employment");
    }
  }

  [[nodiscard]] EmploymentSource employment() {
    return {.bits = reinterpret_cast<std::uint32_t*>(bits_.data() + begin_),
            .words = has_all_ ? stride_ / sizeof(std::uint32_t) : 0,
            .are_known = are_known_,
            .chances = chances_.data(),
            .seed = seed_,
            .first_group = first_group_};
  }
  /// A panel has gone through all periods.
  void panel_is_over() { are_known_ = has_all_; }

  [[nodiscard]] const std::uint8_t* states() const { return states_.data(); }

 private:
  /// Whether the bits of all periods and the wealth take at most half of the memory that is left.
  static bool has_room(const Problem& problem, std::int64_t count) {
    std::size_t left = 0;
    std::size_t all = 0;
    numerics::check(cudaMemGetInfo(&left, &all), "asking for the GPU's memory");
    const auto bytes_of_wealth = 2 * sizeof(double) * static_cast<std::size_t>(count);
    return bytes_of_wealth + static_cast<std::size_t>(problem.T) * shock_stride(count) <= left / 2;
  }

  std::uint64_t seed_;
  std::uint32_t first_group_;
  bool are_known_;
  std::size_t stride_;  ///< bytes of a period
  bool has_all_;        ///< else of one period
  std::size_t begin_;   ///< of this GPU's agents, in bytes
  numerics::DeviceBuffer<std::uint8_t> bits_;
  numerics::DeviceBuffer<std::uint8_t> others_{0};  ///< for the draw
  numerics::DeviceBuffer<UnemploymentChances> chances_;
  numerics::DeviceBuffer<std::uint8_t> states_;
};

}  // namespace all_periods

}  // namespace macrobench::krusell_smith
