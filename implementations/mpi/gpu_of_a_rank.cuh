#pragma once

// A rank that drives one GPU: the solvers of numerics/devices.hpp on several processes and hosts.
// NCCL carries between the GPUs; where a rank lacks it, MPI does, through the hosts' memory.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/mpi/worker.hpp"
#include "implementations/numerics/device.cuh"
#include "implementations/numerics/devices.hpp"
#include "implementations/numerics/gpus.cuh"
#include "implementations/numerics/nccl.hpp"

namespace macrobench::mpi {

/// "GPU-8ea3a7a1-...", of every GPU that this process sees.
inline std::vector<std::string> visible_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<std::string> uuids;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    numerics::check(cudaGetDeviceProperties(&properties, device), "asking for a GPU's UUID");
    std::string uuid = "GPU-";
    for (int i = 0; i < 16; ++i) {
      constexpr const char* digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(properties.uuid.bytes[i]);
      if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
      uuid += {digits[byte >> 4], digits[byte & 15]};
    }
    uuids.push_back(uuid);
  }
  return uuids;
}

/// The GPU of this rank, and those of the others.
class RankGpus final : public numerics::Devices {
 public:
  /// GpuOfARank::take.
  static std::string take(int number, const Ranks& ranks) {
    using numerics::Link;
    numerics::check(cudaSetDevice(number), "choosing a GPU");
    numerics::check(cudaFree(nullptr), "creating the context");
    if (ranks.count() == 1) return {};
    const auto& nccl = numerics::Nccl::installed();
    const bool all_have_nccl = ranks.sum(nccl.why_not().empty() ? 1 : 0) == ranks.count();
    const Link link = numerics::forced_link().value_or(all_have_nccl ? Link::nccl : Link::host);
    if (link == Link::peer_memory) {
      throw std::runtime_error(
          "MACROBENCH_GPU_LINK=peer_memory: ranks do not reach each other's "
          "memory; it must be nccl or host");
    }
    if (link == Link::host) return "MPI, through the host";
    if (!all_have_nccl) {
      throw std::runtime_error(nccl.why_not().empty() ? "NCCL is not installed at all ranks"
                                                      : nccl.why_not());
    }
    numerics::Nccl::Id id{};
    if (ranks.is_first()) id = nccl.new_id();
    ranks.broadcast(&id, sizeof id);
    communicator().emplace(id, ranks.rank(), ranks.count());
    return nccl.version();
  }

  explicit RankGpus(Ranks& ranks) : gpu_(ranks) {}

  [[nodiscard]] std::size_t here() const override { return 1; }
  void each(const std::function<void(numerics::Device&)>& function) override { function(gpu_); }
  std::optional<double> take_exchange_seconds() override {
    return gpu_.count() > 1 ? std::optional(gpu_.clock().take()) : std::nullopt;
  }

 private:
  class Gpu final : public numerics::Device {
   public:
    explicit Gpu(Ranks& ranks)
        : Device(static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.count()),
                 0),
          ranks_(ranks) {}

    double largest(double value) override { return ranks_.largest(value); }

    void exchange(const numerics::DividedMatrix& matrix) override {
      if (count() == 1) return;
      clock_.time([&] {
        if (communicator()) {
          communicator()->all_gather(matrix.mine, matrix.rows, matrix.columns * matrix.size,
                                     numerics::bytes_of_owners(matrix, count()), nullptr);
        } else {
          exchange_through_host(matrix);
        }
      });
    }

    void wait(const char* what) override {
      numerics::check(cudaDeviceSynchronize(), what);
      clock_.read();
    }

    void collect(void* matrix, std::size_t rows, std::size_t columns, std::size_t size) override {
      const std::vector<std::size_t> begins = ranks_.shares(columns);
      for (std::size_t row = 0; row < rows; ++row) {
        char* const all = static_cast<char*>(matrix) + row * columns * size;
        ranks_.collect_bytes(begins, all + begins[index()] * size, all, size);
      }
    }

    [[nodiscard]] numerics::ExchangeClock& clock() { return clock_; }

   private:
    void exchange_through_host(const numerics::DividedMatrix& matrix) {
      const std::size_t pitch = matrix.columns * matrix.size;
      const std::size_t first = begin(matrix.columns) * matrix.size;
      const std::size_t last = end(matrix.columns) * matrix.size;
      host_.resize(matrix.rows * pitch);
      const auto copy = [&](std::size_t from, std::size_t to, bool is_to_host) {
        if (from == to) return;
        char* const host = host_.data() + from;
        char* const device = static_cast<char*>(matrix.mine) + from;
        numerics::check(cudaMemcpy2D(is_to_host ? host : device, pitch, is_to_host ? device : host,
                                     pitch, to - from, matrix.rows, cudaMemcpyDefault),
                        "exchanging through the host");
      };
      copy(first, last, true);
      const std::vector<std::size_t> begins = ranks_.shares(matrix.columns);
      for (std::size_t row = 0; row < matrix.rows; ++row) {
        ranks_.gather_bytes(begins, host_.data() + row * pitch, matrix.size);
      }
      copy(0, first, false);
      copy(last, pitch, false);
    }

    Ranks& ranks_;
    numerics::ExchangeClock clock_;
    std::vector<char> host_;
  };

  /// Of this process, made in start-up.
  static std::optional<numerics::NcclCommunicator>& communicator() {
    static std::optional<numerics::NcclCommunicator> ours;
    return ours;
  }

  Gpu gpu_;
};

/// The stages of a rank that makes room for its solution when its time has been taken: a process of
/// its own would have had it before.
template <class MakeRoom>
class RoomAtTheEnd final : public Stages {
 public:
  RoomAtTheEnd(Stages& stages, MakeRoom make_room)
      : stages_(stages), make_room_(std::move(make_room)) {}

  void enter(std::string_view stage) override { stages_.enter(stage); }
  void took(std::string_view stage, double seconds) override { stages_.took(stage, seconds); }
  void finish() override {
    stages_.finish();
    make_room_();
  }

 private:
  Stages& stages_;
  MakeRoom make_room_;
};

}  // namespace macrobench::mpi
