#pragma once

// The panel of many agents, which go through memory, on one GPU or several: forwards in even
// periods and backwards in odd ones, so that the next period still finds in the cache what the last
// one wrote last. Between periods the blocks exchange their sums, and each block adds them up
// itself, in the same order.
//
// Several GPUs divide the agents, and each runs this kernel. Once its own blocks have met, its
// first block writes its sum into every GPU's inbox, and all blocks wait for those in their own.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "implementations/krusell_smith/frontier/all_periods.cuh"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::krusell_smith::all_periods {

using numerics::check;
using numerics::DeviceBuffer;
using numerics::OnDevice;
using numerics::PinnedBuffer;

/// A GPU's sum of a period, as another GPU gets it.
struct Letter {
  double sum;
  unsigned long long number;  ///< from 1; each GPU counts all that it has sent
};

/// What the blocks exchange their sums through.
struct ChipMail {
  double* sums;              ///< of blocks, shape 2 x blocks
  unsigned* arrivals;        ///< of blocks, in all periods so far; all of them run at once
  int gpu, gpus;             ///< this one's index, and how many there are
  Letter* const* inboxes;    ///< of every GPU, each in its own memory and of shape 2 x gpus
  unsigned long long first;  ///< number of this kernel's first letter
  int* lost;                 ///< set if somebody waited in vain
};

/// Blocks of the whole chip, through its memory, and those of other chips through inboxes. Two sets
/// of places alternate, so that no block overwrites what another still reads.
class Chip {
 public:
  using Mail = ChipMail;

  __device__ Chip(std::int64_t /*agents*/, const Mail& mail) : mail_(mail), number_(mail.first) {}

  template <class Real>
  [[nodiscard]] __device__ static Mine<Real> mine(const Task<Real>& task) {
    return Mine<Real>(task);
  }
  [[nodiscard]] __device__ static unsigned rank() { return blockIdx.x; }

  /// What this thread's agents have.
  __device__ void add(double mine) { mine_ += mine; }

  __device__ void send() {
    __shared__ double of_warp[most_warps];
    const double mine = sum_of_warp(mine_);
    mine_ = 0;
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
  double mine_ = 0;
  unsigned turn_ = 0;
  unsigned expected_ = 0;  ///< arrivals
  unsigned long long number_;
  bool is_lost_ = false;
};

/// Agents in the chip's memory. Each block has its own; its warps take one tile at a time, and each
/// lane two vectors of the tile. The last block takes the agents left over after the whole tiles.
/// Their employment is drawn while the blocks wait for each other.
template <class R, bool is_seventh, bool is_in_index>
class Streamed {
 public:
  using Real = R;
  static constexpr bool in_index = is_in_index;
  static constexpr int most_threads = all_periods::most_threads;

  __device__ Streamed(const Task<Real>& task, const Mine<Real>& mine, const Chip& /*chip*/,
                      const unsigned char* /*shared*/)
      : task_(task),
        mine_(mine),
        places_(task.grids),
        first_tile_(share_of(task.agents / tile, blockIdx.x)),
        end_tile_(share_of(task.agents / tile, blockIdx.x + 1)) {}

  __device__ void begin(Chip& chip) const {
    for (std::int64_t i = begin_of(first_tile_) + thread(); i < end(); i += threads()) {
      chip.add(static_cast<double>(mine_.first[i]));
    }
  }

  /// No thread of the block may still need the employment of the period before.
  __device__ void prepare(int t) {
    if (task_.shocks.are_known || t == task_.moves) return;
    auto* now = reinterpret_cast<uint4*>(task_.shocks.of(t));
    const auto* before = reinterpret_cast<const uint4*>(task_.shocks.of(t == 0 ? 0 : t - 1));
    const auto groups = static_cast<int>((end() + agents_in_group - 1) / agents_in_group);
    for (int n = first_tile_ * groups_of_tile + thread(); n < groups; n += threads()) {
      now[n] = task_.shocks.draw(static_cast<std::uint32_t>(n), t, before[n], agents_in_group);
    }
  }

  __device__ void advance(Chip& chip, const Lines<Real, in_index>& lines, int t, int& clips) {
    const std::uint32_t* words = task_.shocks.of(t);
    const Real* from = t == 0 ? mine_.first : mine_.wealth;
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
          mine = lines.choose(mine, places_.of(mine), works(word[v], bit), clips);
          of_tile += mine;
        }
        *reinterpret_cast<Vector<Real>*>(mine_.wealth + i + v * stride) = k[v];
      }
      chip.add(static_cast<double>(of_tile));
    }
    for (std::int64_t i = begin_of(end_tile_) + thread(); i < end(); i += threads()) {
      const bool working = works(words[i / warp], static_cast<int>(i % warp));
      mine_.wealth[i] = lines.choose(from[i], places_.of(from[i]), working, clips);
      chip.add(static_cast<double>(mine_.wealth[i]));
    }
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
  const Mine<Real>& mine_;
  Places<Real, is_seventh> places_;
  int first_tile_, end_tile_;
};

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

/// The kernel of so many agents on one GPU, and how it is launched.
template <class Real>
using ChipLaunch = Launch<Real, ChipMail>;

/// Throws std::runtime_error if the lines are too long for the GPU's shared memory.
template <class Real>
ChipLaunch<Real> launch_of(const Problem& problem, std::int64_t agents) {
  const std::int64_t enough = std::max(std::int64_t{1}, agents / (2 * most_threads));
  const std::int64_t most = device_attribute(cudaDevAttrMultiProcessorCount);
  const auto launch = with_interpolation(problem, [&]<bool is_seventh, bool in_index>() {
    return ChipLaunch<Real>{.kernel = simulate<Chip, Streamed<Real, is_seventh, in_index>>,
                            .blocks = static_cast<unsigned>(std::min(enough, most)),
                            .is_cluster = false,
                            .threads = most_threads,
                            .shared_bytes = Lines<Real, in_index>::bytes(problem.grids.n_k)};
  });
  launch.allow();
  return launch;
}

/// The panel of one GPU's agents.
template <class Real>
class PanelShare {
 public:
  /// `given` is all agents' first wealth, or empty if it is drawn.
  PanelShare(const Problem& problem, const Shocks& shocks, const Share& share,
             const std::vector<double>& given)
      : problem_(problem),
        share_(share),
        launch_(launch_of<Real>(problem, share.count)),
        inputs_(problem, shocks, share.first, share.count, false),
        policy_(size_with_bends(problem.grids, problem.panel_interpolation)),
        first_(static_cast<std::size_t>(share.count)),
        wealth_(first_.size()),
        sums_(2 * launch_.blocks),
        arrivals_(1),
        inbox_(2 * static_cast<std::size_t>(problem.gpus)),
        inboxes_(static_cast<std::size_t>(problem.gpus)),
        clips_(2) {
    if (problem.gpus > 1) numerics::reach_peers(problem.gpus);
    check(cudaMemset(inbox_.data(), 0, inbox_.size() * sizeof(Letter)), "emptying the inbox");
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
    policy_.upload(with_bends(problem_.grids, problem_.panel_interpolation, policy));
    check(cudaMemset(clips_.data(), 0, 2 * sizeof(unsigned long long)), "resetting clips");
    check(cudaMemset(arrivals_.data(), 0, sizeof(unsigned)), "resetting arrivals");
  }

  void launch(unsigned long long first_letter, double* K, int* lost) {
    launch_(1,
            {.grids = problem_.grids,
             .interpolation = problem_.panel_interpolation,
             .N = problem_.N,
             .agents = share_.count,
             .T = problem_.T,
             .moves = problem_.moves(),
             .states = inputs_.states(),
             .shocks = inputs_.employment(),
             .own = nullptr,
             .policies = policy_.data(),
             .policy_size = policy_.size(),
             .copies_policy = launch_.copies_policy,
             .first = first_.data(),
             .wealth = wealth_.data(),
             .K = share_.gpu == 0 ? K : nullptr,
             .clips = clips_.data()},
            {.sums = sums_.data(),
             .arrivals = arrivals_.data(),
             .gpu = share_.gpu,
             .gpus = problem_.gpus,
             .inboxes = inboxes_.data(),
             .first = first_letter,
             .lost = lost});
  }

  void wait(Clips& clips) {
    check(cudaDeviceSynchronize(), "simulating the panel");
    inputs_.panel_is_over();
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
  ChipLaunch<Real> launch_;
  Inputs inputs_;
  DeviceBuffer<double> policy_;
  DeviceBuffer<Real> first_, wealth_;
  DeviceBuffer<double> sums_;
  DeviceBuffer<unsigned> arrivals_;
  DeviceBuffer<Letter> inbox_;
  DeviceBuffer<Letter*> inboxes_;
  DeviceBuffer<unsigned long long> clips_;
};

/// The panel of many agents, or of several GPUs'.
template <class Real>
class ChipPanel final : public GpuPanel {
 public:
  ChipPanel(const Problem& problem, const Shocks& shocks)
      : kept_(static_cast<std::size_t>(kept_of(problem).N)),
        K_(static_cast<std::size_t>(problem.T)),
        letters_of_panel_(static_cast<unsigned long long>(problem.moves()) + 1),
        lost_(1) {
    const std::vector<double> given =
        are_drawn(problem) ? std::vector<double>() : first_wealth(problem, shocks);
    std::vector<Letter*> inboxes;
    for (int gpu = 0; gpu < problem.gpus; ++gpu) {
      const OnDevice its(gpu);
      shares_.push_back(
          std::make_unique<PanelShare<Real>>(problem, shocks, Share::of(problem, gpu), given));
      inboxes.push_back(shares_.back()->inbox());
    }
    for (const auto& share : shares_) {
      const OnDevice its(share->gpu());
      share->learn(inboxes);
    }
    // So that a later solution cannot find earlier values there.
    std::ranges::fill(K_, std::numeric_limits<double>::quiet_NaN());
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    *lost_.begin() = 0;
    for (const auto& share : shares_) {
      const OnDevice its(share->gpu());
      share->prepare(policy);
    }
    // Nothing may come between these: each kernel waits for the others.
    for (const auto& share : shares_) {
      const OnDevice its(share->gpu());
      share->launch(letters_ + 1, K_.data(), lost_.data());
    }
    letters_ += letters_of_panel_;
    Clips clips;
    for (const auto& share : shares_) {
      const OnDevice its(share->gpu());
      share->wait(clips);
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
    for (const auto& share : shares_) share->keep_last();
  }

  void write(Equilibrium& equilibrium) const override {
    equilibrium.first_wealth.resize(kept_);
    equilibrium.last_wealth.resize(kept_);
    for (const auto& share : shares_) {
      const OnDevice its(share->gpu());
      share->write(equilibrium);
    }
  }

 private:
  std::vector<std::unique_ptr<PanelShare<Real>>> shares_;
  std::size_t kept_;  ///< agents whose wealth a solution keeps
  PinnedBuffer<double> K_;
  unsigned long long letters_of_panel_;
  PinnedBuffer<int> lost_;
  unsigned long long letters_ = 0;  ///< that each GPU has sent
};

}  // namespace macrobench::krusell_smith::all_periods
