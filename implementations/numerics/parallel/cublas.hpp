#pragma once

// NVIDIA's cuBLAS, of which a published program takes the norm. It is loaded when it is first
// needed, as NCCL is: no build needs it, and programs that do not use it start without it.

#include <cstddef>
#include <string>
#include <vector>

namespace macrobench::numerics {

class Cublas {
 public:
  /// The one that MACROBENCH_CUBLAS names, or else that of the system or of the CUDA toolkit that
  /// macrobench was built with.
  static const Cublas& installed();

  explicit Cublas(const std::vector<std::string>& libraries);

  /// Empty if it can be used, else the reason, in one clause.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// Throws std::runtime_error with cuBLAS's own words unless the code is that of success.
  void check(int code, const char* function) const;

  // As cublas_v2.h has them since CUDA 11.5; `Handle` is cublasHandle_t.
  using Handle = struct cublasContext*;
  int (*create)(Handle* handle) = nullptr;
  int (*single_axpy)(Handle handle, int n, const float* alpha, const float* x, int step_x, float* y,
                     int step_y) = nullptr;
  int (*double_axpy)(Handle handle, int n, const double* alpha, const double* x, int step_x,
                     double* y, int step_y) = nullptr;
  int (*single_iamax)(Handle handle, int n, const float* x, int step, int* index) = nullptr;
  int (*double_iamax)(Handle handle, int n, const double* x, int step, int* index) = nullptr;

 private:
  const char* (*words_)(int code) = nullptr;
  std::string why_not_;
};

/// This process's connection to cuBLAS on the current device, made once, at the first call. It
/// ends with the process, whose end CUDA's own precedes: then nothing of cuBLAS may be called.
class CublasHandle {
 public:
  /// Throws std::runtime_error.
  static const CublasHandle& of_this_process();

  /// y += alpha x, of n elements in device memory. Queued.
  void axpy(int n, float alpha, const float* x, float* y) const;
  void axpy(int n, double alpha, const double* x, double* y) const;

  /// Where the largest |x| is, from 0: the first of several. (cuBLAS counts from 1.) Waits for it.
  [[nodiscard]] std::size_t index_of_largest(int n, const float* x) const;
  [[nodiscard]] std::size_t index_of_largest(int n, const double* x) const;

 private:
  CublasHandle();

  const Cublas& library_;
  Cublas::Handle handle_ = nullptr;
};

}  // namespace macrobench::numerics
