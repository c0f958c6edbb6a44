#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/machine/nvml.hpp"

namespace macrobench {

/// The memory that these processes have together on a GPU, of all that have a context on it. In a
/// container the driver may give the host's numbers: the only process that it shows is then ours.
/// None if it does not show them, or not how much they have.
std::optional<std::int64_t> bytes_of(const std::vector<pid_t>& ours,
                                     const std::vector<GpuProcess>& shown);

struct MemoryWindow {
  double left = 600;     ///< seconds until the process is killed
  double expected = 0;   ///< of a solution
  double seconds = 0.2;  ///< of solving, at least
};

/// The most memory that this process and its descendants have on the GPU during several calls of
/// `solve`, by readings every millisecond. None if it cannot be read, or a solution takes too long
/// for one more.
std::optional<std::int64_t> measure_gpu_memory(const NvmlDevice& gpu, const MemoryWindow& window,
                                               const std::function<void()>& solve);

}  // namespace macrobench
