#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// What a GPU's driver says at one moment; none where it does not say.
struct GpuReading {
  std::optional<double> sm_mhz = {};
  std::optional<double> memory_mhz = {};
  std::optional<double> celsius = {};
  std::uint64_t reasons = 0;  ///< why the clocks are what they are, as NVML's bits

  /// Whether the hardware, heat or the power supply holds the clocks down.
  [[nodiscard]] bool is_throttled() const;
  /// Whether the driver holds them down to keep within the power limit.
  [[nodiscard]] bool is_power_capped() const;
};

/// A process that computes on a GPU, by its number in the host's namespace or in a container's.
struct GpuProcess {
  std::int64_t id = 0;
  std::optional<std::int64_t> bytes = {};  ///< of the device's memory, its context included
};

/// The names of NVML's bits: {"sw_power_cap", "hw_thermal_slowdown"}. An unknown bit is "bit 9".
std::vector<std::string> names_of_reasons(std::uint64_t reasons);

/// A GPU as NVIDIA's management library (NVML) shows it. Only reads, and never throws. The driver
/// brings the library, which is loaded here and not when macrobench starts.
class NvmlDevice {
 public:
  /// The device with this PCI bus id ("0000:65:00.0"), or the only one if that is empty. `library`
  /// is its path, or a name as dlopen() searches for it.
  explicit NvmlDevice(const std::string& bus_id, const std::string& library = "libnvidia-ml.so.1");
  ~NvmlDevice();
  NvmlDevice(const NvmlDevice&) = delete;
  NvmlDevice& operator=(const NvmlDevice&) = delete;

  /// Why nothing can be read, in a clause; empty if it can.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  [[nodiscard]] GpuReading read() const;
  /// The energy that the device has used since the driver was loaded; none if it has no such meter.
  [[nodiscard]] std::optional<double> joules() const;
  /// Whether it is divided into instances (MIG), which share its meter.
  [[nodiscard]] bool is_divided() const;
  /// The processes that have a context on it, as far as the driver shows them.
  [[nodiscard]] std::vector<GpuProcess> processes() const;

 private:
  template <class Function>
  [[nodiscard]] Function* find(const char* name) const;
  template <class... Argument>
  [[nodiscard]] bool ask(const char* name, Argument... arguments) const;
  void open(const std::string& bus_id);

  void* library_ = nullptr;
  void* device_ = nullptr;
  bool is_initialized_ = false;
  std::string why_not_;
};

}  // namespace macrobench
