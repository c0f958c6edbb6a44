#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/machine/gpu_conditions.hpp"
#include "harness/machine/nvml.hpp"

namespace macrobench {

/// Reads a GPU's clocks and temperature between the timed solutions of a process. A reading takes
/// milliseconds at worst, so there is at most one for every 50 ms of measuring, besides one after
/// the first solution and one at the end. What a reading sees holds for all solutions since the one
/// before.
class GpuWatch {
 public:
  /// Null, or a device that cannot be read: there are no conditions.
  explicit GpuWatch(const NvmlDevice* device);

  /// A solution has been timed.
  void after(double seconds);
  /// All that was seen; none if nothing could be.
  std::optional<GpuConditions> conditions();

 private:
  void read();

  const NvmlDevice* device_;
  std::size_t solutions_ = 0;
  std::size_t covered_ = 0;  ///< solutions before the latest reading
  double since_ = 0;         ///< seconds measured after it
  std::vector<GpuReading> readings_;
  std::vector<std::size_t> throttled_;
};

}  // namespace macrobench
