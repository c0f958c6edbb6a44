// What only the CUDA runtime knows of the device. A CPU build does not have this file.

#include <cuda_runtime.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/machine/machine.hpp"

namespace macrobench {

namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

nlohmann::ordered_json attribute(cudaDeviceAttr which) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, 0) != cudaSuccess) return nullptr;
  return value;
}

/// Of device 0; asks for attributes alone, which make no context.
nlohmann::ordered_json probe() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  nlohmann::ordered_json device;
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) {
    device["name"] = properties.name;
    device["compute_capability"] =
        std::to_string(properties.major) + "." + std::to_string(properties.minor);
    device["memory_bytes"] = properties.totalGlobalMem;
  }
  device["multiprocessors"] = attribute(cudaDevAttrMultiProcessorCount);
  device["l2_bytes"] = attribute(cudaDevAttrL2CacheSize);
  int driver = 0;
  int runtime = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess) device["cuda_of_driver"] = version(driver);
  if (cudaRuntimeGetVersion(&runtime) == cudaSuccess) device["cuda_runtime"] = version(runtime);
  return device;
}

std::string bus_id() {
  char id[32] = "";
  if (cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess) return id;
  static_cast<void>(cudaGetLastError());
  return {};
}

const bool registered = set_device_probe(probe) && set_device_bus_id(bus_id);

}  // namespace

}  // namespace macrobench
