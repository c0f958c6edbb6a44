// A library that answers as NVML does, for one device. The environment says what:
// FAKE_NVML_DEVICES   how many devices there are (1)
// FAKE_NVML_BUS_ID    its PCI bus id (0000:65:00.0)
// FAKE_NVML_REASONS   the bits of each reading in turn, in hexadecimal with commas; the last one
//                     stays
// FAKE_NVML_WATTS     the power that its meter counts, by this machine's clock (100)
// FAKE_NVML_MIG       1 if the device is divided
// FAKE_NVML_MIB       the MiB that a process has at each look in turn, with commas; the last one
//                     stays. Without it no process is shown
// FAKE_NVML_PROCESS   that process's number (this one's)
// It has the older name alone for the reasons, as drivers before version 535.

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

double number(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtod(text, nullptr);
}

std::size_t readings = 0;
std::size_t looks = 0;
int device;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  readings = 0;
  return 0;
}

int nvmlShutdown() {
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(number("FAKE_NVML_DEVICES", 1));
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  *handle = &device;
  return index == 0 ? 0 : 6;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** handle) {
  *handle = &device;
  const char* ours = std::getenv("FAKE_NVML_BUS_ID");
  return std::string_view(bus_id) == (ours == nullptr ? "0000:65:00.0" : ours) ? 0 : 6;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 2619;
  return 0;
}

int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = 61;
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  const char* text = std::getenv("FAKE_NVML_REASONS");
  std::istringstream list(text == nullptr ? "0" : text);
  std::vector<unsigned long long> all;
  for (std::string one; std::getline(list, one, ',');) all.push_back(std::stoull(one, nullptr, 16));
  *reasons = all[readings < all.size() ? readings : all.size() - 1];
  ++readings;
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  *millijoules = static_cast<unsigned long long>(1000 * seconds * number("FAKE_NVML_WATTS", 100));
  return 0;
}

struct ProcessInfo {
  unsigned id;
  unsigned long long bytes;
  unsigned instance, compute_instance;
};

int nvmlDeviceGetComputeRunningProcesses_v2(void*, unsigned* count, ProcessInfo* processes) {
  const char* text = std::getenv("FAKE_NVML_MIB");
  *count = text == nullptr ? 0 : 1;
  if (text == nullptr) return 0;
  std::istringstream list(text);
  std::vector<unsigned long long> all;
  for (std::string one; std::getline(list, one, ',');) all.push_back(std::stoull(one));
  processes[0] = {static_cast<unsigned>(number("FAKE_NVML_PROCESS", ::getpid())),
                  all[looks < all.size() ? looks : all.size() - 1] << 20, 0, 0};
  ++looks;
  return 0;
}

int nvmlDeviceGetMigMode(void*, unsigned* now, unsigned* pending) {
  *now = *pending = static_cast<unsigned>(number("FAKE_NVML_MIG", 0));
  return 0;
}

}  // extern "C"
