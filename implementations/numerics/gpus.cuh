#pragma once

// Several GPUs of one host, which one process drives.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "implementations/numerics/device.cuh"
#include "implementations/numerics/team.hpp"

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

/// The first GPUs that this process sees, as a team: the current device of each member's thread is
/// its own.
class Gpus {
 public:
  explicit Gpus(int count) : team_(count) {}

  [[nodiscard]] std::size_t size() const { return team_.size(); }

  /// As Team::each().
  template <class Function>
  void each(const Function& function) {
    team_.each([&](Team::Member& member) {
      check(cudaSetDevice(member.index()), "choosing a GPU");
      function(member);
    });
  }

 private:
  Team team_;
};

}  // namespace macrobench::numerics
