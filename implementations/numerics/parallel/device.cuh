#pragma once

// What every CUDA implementation needs from the runtime: errors as exceptions, device memory that
// frees itself, and whether there is a GPU.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/solver.hpp"

namespace macrobench::numerics {

/// Throws std::runtime_error with what was being done and why it failed, unless it succeeded.
/// `what` continues "CUDA failed while", as in "copying V to the host".
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA failed while ") + what + ": " +
                           cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")");
}

/// Empty if a GPU can run this build, else the reason, in one sentence. Creates no context, so
/// that creating it can still be timed.
inline std::string no_gpu_here() {
  const std::string no_gpu = "no GPU here: ";

  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    cudaGetLastError();  // or the next check() would report it as its own
    return no_gpu + "no NVIDIA driver is installed";
  }
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess) {
    cudaGetLastError();
    return no_gpu + cudaGetErrorString(error);
  }
  if (devices == 0) return no_gpu + "the driver shows no device";

#if defined(__CUDA_ARCH_LIST__)
  int major = 0;
  int minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0),
        "reading the compute capability");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0),
        "reading the compute capability");
  const int built_for = std::min({__CUDA_ARCH_LIST__});  // 900 for sm_90
  if (100 * major + 10 * minor < built_for) {
    return no_gpu + "device 0 has compute capability " + std::to_string(major) + "." +
           std::to_string(minor) + ", and macrobench was built for " +
           std::to_string(built_for / 100) + "." + std::to_string(built_for / 10 % 10) + " and up";
  }
#endif
  return {};
}

inline constexpr int warp = 32;
inline constexpr unsigned all_lanes = 0xFFFFFFFF;

#if defined(__CUDACC__)
/// The sum over a warp's lanes, which all get.
template <class T>
__device__ T sum_of_warp(T mine) {
  for (int offset = warp / 2; offset > 0; offset /= 2) {
    mine += __shfl_xor_sync(all_lanes, mine, offset);
  }
  return mine;
}
#endif

/// An attribute of the current device.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&value, attribute, device), "asking what the device can do");
  return value;
}

/// Creates the current device's context, and loads these kernels with it, as CUDA did when the
/// papers timed it. Now it delays that until a kernel's first launch.
template <class... Kernels>
void load_kernels(Kernels*... kernels) {
  check(cudaFree(nullptr), "creating the context");
  cudaFuncAttributes attributes;
  (check(cudaFuncGetAttributes(&attributes, kernels), "loading a kernel"), ...);
}

/// The solver, which runs on a GPU.
template <class Problem, template <class> class Solution>
Solver<Problem, Solution> on_gpu(Solver<Problem, Solution> solver) {
  solver.runs_on = RunsOn::gpu;
  solver.unavailable = no_gpu_here;
  return solver;
}

/// The current device is this one while in scope.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    if (device != before_) cudaSetDevice(device);
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// An array of T in the current device's memory, uninitialised until something is written to it.
///
/// Its destructor fills the memory with 0xFF (NaN, or -1) before freeing it, so that a later run
/// given the same memory cannot find this run's result there. Release it after stages.finish(), so
/// that the filling is not timed.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    check(cudaGetDevice(&device_), "asking for the device");
    check(cudaMalloc(&data_, std::max(std::size_t{1}, bytes())), "allocating device memory");
  }

  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { upload(host); }

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        device_(other.device_) {}

  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(device_, other.device_);
    return *this;
  }

  ~DeviceBuffer() {
    // A failure here repeats an earlier one, which that call has reported.
    if (data_ == nullptr) return;
    const OnDevice its(device_);
    cudaMemset(data_, 0xFF, bytes());
    cudaFree(data_);
  }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Copies all of `host`, which must have this buffer's size, to the device.
  void upload(std::span<const T> host) {
    require_same_size(host.size());
    check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), "copying to the device");
  }

  /// Waits for the device and copies everything to `host`, which must have this buffer's size.
  void download(std::span<T> host) const {
    require_same_size(host.size());
    check(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost), "copying to the host");
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

  void require_same_size(std::size_t host_size) const {
    if (host_size == size_) return;
    throw std::logic_error("a device buffer of " + std::to_string(size_) +
                           " elements cannot be copied to or from " + std::to_string(host_size));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  int device_ = 0;
};

/// An array of T in host memory that kernels can write. For a few numbers that the host waits for,
/// this is quicker than a copy. Uninitialised; read it only after synchronising.
template <class T>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    check(cudaMallocHost(&data_, size * sizeof(T)), "allocating pinned host memory");
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace macrobench::numerics
