#pragma once

#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// The lowest, the middle and the highest of some readings.
struct ReadingRange {
  double lowest = 0, median = 0, highest = 0;
};

/// A reading takes milliseconds at worst, and there is at most one in this time of measuring.
inline constexpr double seconds_between_readings = 0.05;

/// What the driver said of the GPU after solutions of one process: after the first, and from then
/// on at most once per 50 ms of measuring, never during a solution.
struct GpuConditions {
  int readings = 0;
  std::optional<ReadingRange> sm_mhz = {};
  std::optional<ReadingRange> memory_mhz = {};
  std::optional<double> highest_celsius = {};
  /// Everything that held the clocks down, or changed them, at some reading, as NVML names it.
  std::vector<std::string> reasons = {};
  int power_capped = 0;  ///< readings at which the power limit did
  /// Solutions of the process, the first is 0, after which a reading saw a slowdown by hardware,
  /// heat or the power supply.
  std::vector<std::size_t> throttled = {};
};

template <class Struct>
class JsonFields;
/// As a record holds it.
const JsonFields<GpuConditions>& gpu_conditions_fields();

}  // namespace macrobench
