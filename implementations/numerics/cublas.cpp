#include "implementations/numerics/cublas.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <type_traits>

namespace macrobench::numerics {

namespace {

std::vector<std::string> names_of_library() {
  const char* given = std::getenv("MACROBENCH_CUBLAS");
  if (given != nullptr && *given != '\0') return {given};
  // The build defines these for this file: "libcublas.so.13", and the folder of the toolkit's.
  return {MACROBENCH_CUBLAS, MACROBENCH_CUDA_LIBRARIES "/" MACROBENCH_CUBLAS};
}

}  // namespace

const Cublas& Cublas::installed() {
  static const Cublas library(names_of_library());
  return library;
}

Cublas::Cublas(const std::vector<std::string>& libraries) {
  void* library = nullptr;
  std::string found;
  for (auto next = libraries.begin(); library == nullptr && next != libraries.end(); ++next) {
    found = *next;
    library = ::dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    why_not_ = "cuBLAS is not installed: there is no " + libraries.front();
    return;
  }
  bool has_all = true;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
    has_all = has_all && function != nullptr;
  };
  find("cublasCreate_v2", create);
  find("cublasSaxpy_v2", single_axpy);
  find("cublasDaxpy_v2", double_axpy);
  find("cublasIsamax_v2", single_iamax);
  find("cublasIdamax_v2", double_iamax);
  find("cublasGetStatusString", words_);
  if (!has_all) why_not_ = found + " is not cuBLAS of CUDA 12 or later";
}

void Cublas::check(int code, const char* function) const {
  if (code == 0) return;
  throw std::runtime_error(std::string("cuBLAS failed in ") + function + ": " + words_(code));
}

CublasHandle::CublasHandle() : library_(Cublas::installed()) {
  if (!library_.why_not().empty()) throw std::runtime_error(library_.why_not());
  library_.check(library_.create(&handle_), "cublasCreate");
}

const CublasHandle& CublasHandle::of_this_process() {
  static const CublasHandle handle;
  return handle;
}

void CublasHandle::axpy(int n, float alpha, const float* x, float* y) const {
  library_.check(library_.single_axpy(handle_, n, &alpha, x, 1, y, 1), "cublasSaxpy");
}
void CublasHandle::axpy(int n, double alpha, const double* x, double* y) const {
  library_.check(library_.double_axpy(handle_, n, &alpha, x, 1, y, 1), "cublasDaxpy");
}

std::size_t CublasHandle::index_of_largest(int n, const float* x) const {
  int index = 0;
  library_.check(library_.single_iamax(handle_, n, x, 1, &index), "cublasIsamax");
  return static_cast<std::size_t>(index) - 1;
}
std::size_t CublasHandle::index_of_largest(int n, const double* x) const {
  int index = 0;
  library_.check(library_.double_iamax(handle_, n, x, 1, &index), "cublasIdamax");
  return static_cast<std::size_t>(index) - 1;
}

}  // namespace macrobench::numerics
