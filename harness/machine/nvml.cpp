#include "harness/machine/nvml.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace macrobench {

namespace {

// As nvml.h has them, which a build without a CUDA toolkit lacks. Every function returns 0 if all
// is well; devices are pointers that only the library looks behind.
constexpr int sm_clock = 1;
constexpr int memory_clock = 2;
constexpr int gpu_sensor = 0;

constexpr std::array<std::pair<std::uint64_t, std::string_view>, 9> reason_names{
    {{0x1, "gpu_idle"},
     {0x2, "applications_clocks_setting"},
     {0x4, "sw_power_cap"},
     {0x8, "hw_slowdown"},
     {0x10, "sync_boost"},
     {0x20, "sw_thermal_slowdown"},
     {0x40, "hw_thermal_slowdown"},
     {0x80, "hw_power_brake_slowdown"},
     {0x100, "display_clock_setting"}}};
constexpr std::uint64_t power_cap = 0x4;
constexpr std::uint64_t slowdowns = 0x8 | 0x20 | 0x40 | 0x80;

/// As version 2 of the function and later ones have it.
struct ProcessInfo {
  unsigned id;
  unsigned long long bytes;
  unsigned instance;
  unsigned compute_instance;
};
constexpr unsigned long long most_bytes = 1ULL << 50;  // more means that it is not known
constexpr unsigned most_processes = 256;

}  // namespace

bool GpuReading::is_throttled() const {
  return (reasons & slowdowns) != 0;
}
bool GpuReading::is_power_capped() const {
  return (reasons & power_cap) != 0;
}

std::vector<std::string> names_of_reasons(std::uint64_t reasons) {
  std::vector<std::string> names;
  for (int place = 0; place < 64; ++place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    if ((reasons & bit) == 0) continue;
    std::string name = "bit " + std::to_string(place);
    for (const auto& [known, its_name] : reason_names) {
      if (known == bit) name = its_name;
    }
    names.push_back(std::move(name));
  }
  return names;
}

template <class Function>
Function* NvmlDevice::find(const char* name) const {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library_, name));
}

/// Calls the function if the library has it; whether that went well.
template <class... Argument>
bool NvmlDevice::ask(const char* name, Argument... arguments) const {
  auto* function = find<int(Argument...)>(name);
  return function != nullptr && function(arguments...) == 0;
}

NvmlDevice::NvmlDevice(const std::string& bus_id, const std::string& library)
    : library_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    why_not_ = "NVIDIA's driver brings no " + library;
  } else if (is_initialized_ = ask("nvmlInit_v2"); !is_initialized_) {
    why_not_ = "NVML could not be started";
  } else {
    open(bus_id);
  }
}

void NvmlDevice::open(const std::string& bus_id) {
  unsigned count = 0;
  const bool is_found = bus_id.empty()
                            ? ask("nvmlDeviceGetCount_v2", &count) && count == 1 &&
                                  ask("nvmlDeviceGetHandleByIndex_v2", 0U, &device_)
                            : ask("nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str(), &device_);
  if (is_found) return;
  why_not_ = bus_id.empty() ? "NVML does not show which of its devices does the work"
                            : "NVML shows no device with the PCI bus id " + bus_id;
}

NvmlDevice::~NvmlDevice() {
  if (is_initialized_) static_cast<void>(ask("nvmlShutdown"));
  if (library_ != nullptr) ::dlclose(library_);
}

GpuReading NvmlDevice::read() const {
  GpuReading reading;
  if (!why_not_.empty()) return reading;
  unsigned number = 0;
  if (ask("nvmlDeviceGetClockInfo", device_, sm_clock, &number)) reading.sm_mhz = number;
  if (ask("nvmlDeviceGetClockInfo", device_, memory_clock, &number)) reading.memory_mhz = number;
  if (ask("nvmlDeviceGetTemperature", device_, gpu_sensor, &number)) reading.celsius = number;
  unsigned long long reasons = 0;
  // The second is the name that drivers before version 535 have for it.
  if (ask("nvmlDeviceGetCurrentClocksEventReasons", device_, &reasons) ||
      ask("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &reasons)) {
    reading.reasons = reasons;
  }
  return reading;
}

std::optional<double> NvmlDevice::joules() const {
  unsigned long long millijoules = 0;
  if (!why_not_.empty() || !ask("nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules)) {
    return std::nullopt;
  }
  return static_cast<double>(millijoules) / 1000;
}

std::vector<GpuProcess> NvmlDevice::processes() const {
  std::vector<ProcessInfo> all(most_processes);
  unsigned count = most_processes;
  const bool are_known = why_not_.empty() && (ask("nvmlDeviceGetComputeRunningProcesses_v3",
                                                  device_, &count, all.data()) ||
                                              ask("nvmlDeviceGetComputeRunningProcesses_v2",
                                                  device_, &(count = most_processes), all.data()));
  std::vector<GpuProcess> processes;
  for (unsigned i = 0; are_known && i < count; ++i) {
    GpuProcess& process = processes.emplace_back(GpuProcess{.id = all[i].id});
    const bool is_known = all[i].bytes > 0 && all[i].bytes < most_bytes;
    if (is_known) process.bytes = static_cast<std::int64_t>(all[i].bytes);
  }
  return processes;
}

bool NvmlDevice::is_divided() const {
  unsigned now = 0;
  unsigned pending = 0;
  return why_not_.empty() && ask("nvmlDeviceGetMigMode", device_, &now, &pending) && now != 0;
}

}  // namespace macrobench
