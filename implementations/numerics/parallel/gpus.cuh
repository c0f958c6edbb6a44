#pragma once

// Several GPUs of one host, which one process drives.

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/devices.hpp"
#include "implementations/numerics/parallel/nccl.hpp"
#include "implementations/numerics/parallel/team.hpp"

namespace macrobench::numerics {

/// The GPUs that this process sees; at least 1, because whether there is one at all no_gpu_here()
/// says. Creates no context.
inline int visible_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
  return std::max(1, count);
}

/// Empty if there are as many GPUs as the problem's `gpus`, else the reason, in one sentence.
template <class Problem>
std::string too_few_gpus(const Problem& problem) {
  const int here = visible_gpus();
  if (problem.gpus <= here) return {};
  return "too few GPUs here: gpus = " + std::to_string(problem.gpus) + ", and this process sees " +
         std::to_string(here);
}

/// Empty if each of the first `gpus` GPUs can reach the memory of the others, else the reason.
inline std::string no_peers(int gpus) {
  for (int from = 0; from < gpus; ++from) {
    for (int to = 0; to < gpus; ++to) {
      if (from == to) continue;
      int can = 0;
      check(cudaDeviceCanAccessPeer(&can, from, to), "asking which GPUs are peers");
      if (can == 0) {
        return "GPU " + std::to_string(from) + " cannot reach the memory of GPU " +
               std::to_string(to) + ": take gpus = 1";
      }
    }
  }
  return {};
}

/// Lets the current device reach the memory of the first `gpus` GPUs, as far as it can; copies
/// between the others go through the host.
inline void reach_peers(int gpus) {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  for (int peer = 0; peer < gpus; ++peer) {
    int can = 0;
    if (peer == device || cudaDeviceCanAccessPeer(&can, device, peer) != cudaSuccess || can == 0) {
      continue;
    }
    const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();  // or the next check() would report it as its own
    } else {
      check(error, "reaching another GPU's memory");
    }
  }
}

/// What carries between GPUs.
enum class Link {
  none,         ///< there is one GPU
  peer_memory,  ///< each writes to the others' memory
  nccl,
  host  ///< copies through the host's memory
};

/// What MACROBENCH_GPU_LINK (peer_memory, nccl or host) says, for tests of what is not the best
/// here. None if it is not set.
inline std::optional<Link> forced_link() {
  const char* const set = std::getenv("MACROBENCH_GPU_LINK");
  if (set == nullptr || *set == '\0') return std::nullopt;
  const std::string word = set;
  if (word == "peer_memory") return Link::peer_memory;
  if (word == "nccl") return Link::nccl;
  if (word == "host") return Link::host;
  throw std::runtime_error("MACROBENCH_GPU_LINK=" + word +
                           ": it must be peer_memory, nccl or host");
}

/// "peer memory, NVLink", "NCCL 2.28.3".
inline std::string words_of(Link link) {
  if (link == Link::nccl) return Nccl::installed().version();
  if (link == Link::host) return "copies through the host";
  int has_atomics = 0;
  check(cudaDeviceGetP2PAttribute(&has_atomics, cudaDevP2PAttrNativeAtomicSupported, 0, 1),
        "asking what links the GPUs");
  return has_atomics == 0 ? "peer memory, PCIe" : "peer memory, NVLink";
}

/// Counts what a GPU's exchanges take, by its own clock.
class ExchangeClock {
 public:
  ExchangeClock() {
    check(cudaEventCreate(&begin_), "creating an event");
    check(cudaEventCreate(&end_), "creating an event");
  }
  ~ExchangeClock() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  ExchangeClock(const ExchangeClock&) = delete;
  ExchangeClock& operator=(const ExchangeClock&) = delete;

  /// Queues what the function queues.
  template <class Function>
  void time(const Function& exchange) {
    check(cudaEventRecord(begin_), "timing an exchange");
    exchange();
    check(cudaEventRecord(end_), "timing an exchange");
    is_pending_ = true;
  }

  /// The device has done it all.
  void read() {
    if (!is_pending_) return;
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "timing an exchange");
    seconds_ += milliseconds / 1e3;
    is_pending_ = false;
  }

  /// Seconds since the last call.
  double take() { return std::exchange(seconds_, 0); }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  bool is_pending_ = false;
  double seconds_ = 0;
};

/// Where each device's columns of a matrix begin, in bytes.
inline std::vector<std::size_t> bytes_of_owners(const DividedMatrix& matrix, std::size_t devices) {
  std::vector<std::size_t> begins;
  for (std::size_t d = 0; d <= devices; ++d) {
    begins.push_back(begin_of_share(matrix.columns, devices, d) * matrix.size);
  }
  return begins;
}

/// Writes the bytes from `first` to `end` of each row of a matrix to the copies of up to as many
/// other devices as there are pointers. All numbers of bytes are multiples of Word's.
struct Copies {
  static constexpr int most = 64;
  void* of[most];
  int count;
};
template <class Word>
__global__ void write_to_peers(const Word* mine, Copies copies, std::size_t rows, std::size_t pitch,
                               std::size_t first, std::size_t end) {
  for (std::size_t row = blockIdx.y; row < rows; row += gridDim.y) {
    for (std::size_t i = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < end;
         i += std::size_t{gridDim.x} * blockDim.x) {
      const Word word = mine[row * pitch + i];
      for (int c = 0; c < copies.count; ++c)
        static_cast<Word*>(copies.of[c])[row * pitch + i] = word;
    }
  }
}

/// The first GPUs that this process sees, each driven by a thread of its own, whose current device
/// it is.
class Gpus final : public Devices {
 public:
  /// Connects them, in start-up: reaches their memory, or makes NCCL's communicators, which last as
  /// long as the process. GPU 0 is the current device afterwards. `link` is the only one that will
  /// do; without one it is the best that there is. Throws std::runtime_error.
  static void connect(int count, std::optional<Link> link = forced_link()) {
    link_in_use().clear();
    if (count < 2) return;
    State& state = connected()[count];
    const bool are_peers = no_peers(count).empty();
    const bool has_nccl = are_peers || Nccl::installed().why_not().empty();
    const Link best = are_peers ? Link::peer_memory : has_nccl ? Link::nccl : Link::host;
    state.link = link.value_or(best);
    if (state.link == Link::peer_memory && !are_peers) throw std::runtime_error(no_peers(count));
    if (state.link == Link::nccl && !Nccl::installed().why_not().empty()) {
      throw std::runtime_error(Nccl::installed().why_not());
    }
    Gpus(count).each([&](const Device&) { reach_peers(count); });
    if (state.link == Link::nccl && state.communicators.empty()) {
      state.communicators = NcclCommunicator::of_this_process(count);
    }
    check(cudaSetDevice(0), "choosing a GPU");
    link_in_use() = words_of(state.link);
  }

  /// For the outcome: what carries between those that were connected last, if they are several.
  static std::map<std::string, std::string> notes() {
    if (link_in_use().empty()) return {};
    return {{"link", link_in_use()}};
  }

  explicit Gpus(int count)
      : count_(static_cast<std::size_t>(count)),
        team_(count),
        state_(&connected()[count]),
        said_(count_),
        pointers_(count_),
        clocks_(count_) {}
  ~Gpus() override {
    for (std::size_t g = 0; g < count_; ++g) {
      const OnDevice its(static_cast<int>(g));
      clocks_[g].reset();
    }
  }

  [[nodiscard]] std::size_t count() const override { return count_; }

  void each(const std::function<void(Device&)>& function) override {
    team_.each([&](Team::Member& member) {
      check(cudaSetDevice(member.index()), "choosing a GPU");
      Gpu gpu(*this, member);
      function(gpu);
    });
  }

  std::optional<double> take_exchange_seconds() override {
    return clocks_.front() ? std::optional(clocks_.front()->take()) : std::nullopt;
  }

 private:
  struct State {
    Link link = Link::none;
    std::vector<NcclCommunicator> communicators;
  };

  class Gpu final : public Device {
   public:
    Gpu(Gpus& gpus, Team::Member& member)
        : Device(static_cast<std::size_t>(member.index()), gpus.count_),
          gpus_(gpus),
          member_(member) {}

    void together(const std::function<void()>& function) override { member_.together(function); }

    double largest(double value) override {
      if (count() == 1) return value;
      gpus_.said_[index()] = value;
      member_.together([&] {
        // Non-negative numbers have the order of their bits, with NaN above them all.
        gpus_.largest_ = *std::ranges::max_element(gpus_.said_, {}, [](double one) {
          return std::bit_cast<std::uint64_t>(std::abs(one));
        });
      });
      return gpus_.largest_;
    }

    DividedMatrix divide(void* mine, std::size_t rows, std::size_t columns,
                         std::size_t size) override {
      if (count() == 1) return Device::divide(mine, rows, columns, size);
      if (!clock()) clock().emplace();
      gpus_.pointers_[index()] = mine;
      member_.together([] {});
      DividedMatrix matrix{mine, rows, columns, size, gpus_.pointers_};
      member_.together([] {});
      return matrix;
    }

    void exchange(const DividedMatrix& matrix) override {
      if (count() == 1) return;
      clock()->time([&] {
        switch (gpus_.state_->link) {
          case Link::nccl:
            gpus_.state_->communicators[index()].all_gather(
                matrix.mine, matrix.rows, matrix.columns * matrix.size,
                bytes_of_owners(matrix, count()), nullptr);
            break;
          case Link::peer_memory:
            write(matrix);
            break;
          default:
            copy(matrix);
        }
      });
    }

    void wait(const char* what) override {
      check(cudaDeviceSynchronize(), what);
      if (clock()) clock()->read();
    }

   private:
    std::optional<ExchangeClock>& clock() { return gpus_.clocks_[index()]; }

    void write(const DividedMatrix& matrix) const {
      const std::size_t first = begin(matrix.columns) * matrix.size;
      const std::size_t last = end(matrix.columns) * matrix.size;
      const std::size_t pitch = matrix.columns * matrix.size;
      if (first == last) return;
      if (first % 16 == 0 && last % 16 == 0 && pitch % 16 == 0) {
        write<int4>(matrix, pitch / 16, first / 16, last / 16);
      } else if (matrix.size % 8 == 0) {
        write<double>(matrix, pitch / 8, first / 8, last / 8);
      } else {
        write<float>(matrix, pitch / 4, first / 4, last / 4);
      }
    }

    template <class Word>
    void write(const DividedMatrix& matrix, std::size_t pitch, std::size_t first,
               std::size_t last) const {
      Copies copies{};
      for (std::size_t d = 0; d < count(); ++d) {
        if (d != index()) copies.of[copies.count++] = matrix.of_others[d];
      }
      constexpr std::size_t threads = 256;
      constexpr std::size_t most_blocks = 512;
      const auto blocks =
          static_cast<unsigned>(std::min(most_blocks, (last - first + threads - 1) / threads));
      const auto rows = static_cast<unsigned>(std::min<std::size_t>(matrix.rows, 64));
      write_to_peers<Word><<<dim3(blocks, rows), threads>>>(
          static_cast<const Word*>(matrix.mine), copies, matrix.rows, pitch, first, last);
      check(cudaGetLastError(), "writing to another GPU's memory");
    }

    void copy(const DividedMatrix& matrix) const {
      const std::size_t pitch = matrix.columns * matrix.size;
      const std::size_t first = begin(matrix.columns) * matrix.size;
      const std::size_t width = end(matrix.columns) * matrix.size - first;
      if (width == 0) return;
      const char* const from = static_cast<const char*>(matrix.mine) + first;
      for (std::size_t d = 0; d < count(); ++d) {
        if (d == index()) continue;
        check(cudaMemcpy2DAsync(static_cast<char*>(matrix.of_others[d]) + first, pitch, from, pitch,
                                width, matrix.rows, cudaMemcpyDefault),
              "copying to another GPU");
      }
    }

    Gpus& gpus_;
    Team::Member& member_;
  };

  /// By the number of GPUs.
  static std::map<int, State>& connected() {
    static std::map<int, State> states;
    return states;
  }
  static std::string& link_in_use() {
    static std::string words;
    return words;
  }

  std::size_t count_;
  Team team_;
  State* state_;
  std::vector<double> said_;
  double largest_ = 0;
  std::vector<void*> pointers_;
  std::vector<std::optional<ExchangeClock>> clocks_;
};

/// The solver, which runs on as many GPUs of this machine as the problem says. Its axis `gpus` need
/// be named only if it is restricted.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> on_gpus(Solver<Problem, Solution> solver) {
  auto gpus = std::ranges::find(solver.axes, "gpus", &TakenAxis::name);
  if (gpus == solver.axes.end()) gpus = solver.axes.insert(gpus, {"gpus"});
  gpus->all = visible_gpus;
  if (!solver.hooks.unavailable) solver.hooks.unavailable = too_few_gpus<Problem>;
  solver.notes = Gpus::notes;
  return on_gpu(std::move(solver));
}

}  // namespace macrobench::numerics
