#pragma once

// How the blocks of one cluster exchange their agents' wealth: each writes into the shared memory
// of all, and waits until it has what all have written. No block waits for another to be ready, so
// that an exchange takes as long as one number's way. An economy of a batch has the same bits as
// alone: see shares.hpp.

#include <cooperative_groups.h>

#include <cstdint>

#include "implementations/krusell_smith/frontier/all_periods.cuh"
#include "implementations/krusell_smith/frontier/shares.hpp"

namespace macrobench::krusell_smith::all_periods {

static_assert(lanes == warp);

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/// Counts the bytes that are to arrive in this block's shared memory (PTX's mbarrier), turn by
/// turn.
class Arrivals {
 public:
  /// By one thread, before any others use it.
  __device__ void begin(int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address()) : "memory");
    expect(bytes);
  }

  /// By one thread: how many bytes the next turn has.
  __device__ void expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()),
                 "r"(bytes)
                 : "memory");
  }

  /// Until all bytes of a turn are here: of an even turn, or of an odd one. They are in shared
  /// memory, which has no cache to empty, so that the block's scope is enough.
  __device__ void wait(unsigned odd) const {
    unsigned is_over = 0;
    while (is_over == 0) {
      asm volatile(
          "{\n"
          ".reg .pred over;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
          "selp.u32 %0, 1, 0, over;\n"
          "}"
          : "=r"(is_over)
          : "r"(address()), "r"(odd)
          : "memory");
    }
  }

  /// Sends a number to this place of another block of the cluster, whose own count gets its bytes.
  __device__ void send(const double* place, double number, unsigned block) const {
    asm volatile(
        "{\n"
        ".reg .u32 to, count;\n"
        "mapa.shared::cluster.u32 to, %0, %3;\n"
        "mapa.shared::cluster.u32 count, %1, %3;\n"
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.f64 [to], %2, [count];\n"
        "}" ::"r"(address_of(place)),
        "r"(address()), "d"(number), "r"(block)
        : "memory");
  }

 private:
  static __device__ unsigned address_of(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }
  [[nodiscard]] __device__ unsigned address() const { return address_of(&count_); }

  std::uint64_t count_;
};

/// Two sets of places alternate, so that no block overwrites what another still reads: before a
/// block sends a turn's shares, it has had the last turn's from all others, all of whose
/// threads had then read the ones before these. So every block sends as many shares, even if it
/// has no agents: these are 0.
class Cluster {
 public:
  struct Mail {};

  __device__ Cluster(std::int64_t agents, const Mail& /*mail*/)
      : shares_(Shares::of(agents)),
        size_(static_cast<int>(cooperative_groups::this_cluster().num_blocks())),
        rank_(static_cast<int>(cooperative_groups::this_cluster().block_rank())),
        first_(rank_ * shares_.of_block(size_)),
        end_(first_ + shares_.of_block(size_)) {
    for (int n = static_cast<int>(threadIdx.x); n < most_chunks;
         n += static_cast<int>(blockDim.x)) {
      chunks()[n] = 0;
    }
    __syncthreads();
    if (size_ == 1) return;
    if (threadIdx.x == 0) {
      for (const unsigned set : {0, 1}) arrivals(set).begin(bytes());
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cooperative_groups::this_cluster().sync();
  }

  template <class Real>
  [[nodiscard]] __device__ Mine<Real> mine(const Task<Real>& task) const {
    return {task, blockIdx.x / size_};
  }
  [[nodiscard]] __device__ int rank() const { return rank_; }
  /// The block's chunks: from this one on, and before that one.
  [[nodiscard]] __device__ int first_chunk() const { return first_ * shares_.of_share; }
  [[nodiscard]] __device__ int end_chunk() const {
    return min(end_ * shares_.of_share, shares_.chunks);
  }

  /// A chunk's wealth, of which each lane of the warp has a part.
  __device__ void add(int chunk, double mine) const {
    mine = sum_of_warp(mine);
    if (threadIdx.x % warp == 0 && chunk < end_chunk()) chunks()[chunk - first_chunk()] = mine;
  }

  /// The wealth of two chunks from this one on, in fewer exchanges: half of the lanes give one to
  /// the other half, and take theirs of the other. The sums are the same as by add().
  __device__ void add_two(int chunk, double first, double second) const {
    const unsigned lane = threadIdx.x % warp;
    const bool is_second = lane >= warp / 2;
    double sum = (is_second ? second : first) +
                 __shfl_xor_sync(all_lanes, is_second ? first : second, warp / 2);
    for (unsigned offset = warp / 4; offset > 0; offset /= 2) {
      sum += __shfl_xor_sync(all_lanes, sum, offset);
    }
    const int its_chunk = chunk + static_cast<int>(is_second);
    if (lane % (warp / 2) == 0 && its_chunk < end_chunk()) {
      chunks()[its_chunk - first_chunk()] = sum;
    }
  }

  /// The wealth of four, likewise.
  __device__ void add_four(int chunk, const double (&mine)[rows]) const {
    const unsigned lane = threadIdx.x % warp;
    const auto exchange = [&](double low, double high, unsigned bit) {
      const bool is_high = (lane & bit) != 0;
      return (is_high ? high : low) + __shfl_xor_sync(all_lanes, is_high ? low : high, bit);
    };
    double sum = exchange(exchange(mine[0], mine[1], 16), exchange(mine[2], mine[3], 16), 8);
    for (unsigned offset = 4; offset > 0; offset /= 2) {
      sum += __shfl_xor_sync(all_lanes, sum, offset);
    }
    const int its_chunk = chunk + static_cast<int>(lane / 16 + lane / 8 % 2 * 2);
    if (lane % 8 == 0 && its_chunk < end_chunk()) chunks()[its_chunk - first_chunk()] = sum;
  }

  /// By the whole block, once its chunks are there: sends its shares to all blocks.
  __device__ void send() const {
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x % warp);
    const int warps = static_cast<int>(blockDim.x / warp);
    for (int share = first_ + static_cast<int>(threadIdx.x / warp); share < end_; share += warps) {
      const double* const its = chunks() + (share - first_) * shares_.of_share;
      const double sum = sum_of_warp(lane < shares_.of_share ? its[lane] : 0);
      double* const place = places() + share;
      if (size_ > 1 && lane < size_) {
        arrivals(set()).send(place, sum, static_cast<unsigned>(lane));
      } else if (lane == 0) {
        *place = sum;
      }
    }
  }

  /// By the whole block.
  __device__ double receive() {
    if (size_ > 1) {
      arrivals(set()).wait(turn_ / 2 % 2);
      if (threadIdx.x == 0) arrivals(set()).expect(bytes());
    } else {
      __syncthreads();
    }
    // Both halves of a warp add up all shares.
    const int share = static_cast<int>(threadIdx.x % most_in_cluster);
    double total = share < shares_.count ? places()[share] : 0;
    for (int offset = most_in_cluster / 2; offset > 0; offset /= 2) {
      total += __shfl_xor_sync(all_lanes, total, offset);
    }
    ++turn_;
    return total;
  }

 private:
  static constexpr int most_chunks = most_in_cluster * warp;

  [[nodiscard]] __device__ int bytes() const {
    return size_ * shares_.of_block(size_) * static_cast<int>(sizeof(double));
  }
  [[nodiscard]] __device__ unsigned set() const { return turn_ % 2; }
  static __device__ Arrivals& arrivals(unsigned set) {
    __shared__ Arrivals of_sets[2];
    return of_sets[set];
  }
  static __device__ double* chunks() {
    __shared__ double of_chunks[most_chunks];
    return of_chunks;
  }
  [[nodiscard]] __device__ double* places() const {
    __shared__ double of_shares[2][most_in_cluster];
    return of_shares[set()];
  }

  Shares shares_;
  int size_, rank_;
  int first_, end_;  ///< shares of this block, also beyond the last one with agents
  unsigned turn_ = 0;
};

#else

class Cluster {
 public:  // never launched there
  struct Mail {};
  __device__ Cluster(std::int64_t /*agents*/, const Mail& /*mail*/) {}
  template <class Real>
  [[nodiscard]] __device__ Mine<Real> mine(const Task<Real>& task) const {
    return Mine<Real>(task);
  }
  [[nodiscard]] __device__ int rank() const { return 0; }
  [[nodiscard]] __device__ int first_chunk() const { return 0; }
  [[nodiscard]] __device__ int end_chunk() const { return 0; }
  __device__ void add(int /*chunk*/, double /*mine*/) const {}
  __device__ void add_two(int /*chunk*/, double /*first*/, double /*second*/) const {}
  __device__ void add_four(int /*chunk*/, const double (& /*mine*/)[rows]) const {}
  __device__ void send() {}
  __device__ double receive() { return 0; }
};

#endif

}  // namespace macrobench::krusell_smith::all_periods
