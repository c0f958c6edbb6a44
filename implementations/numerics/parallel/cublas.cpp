#include "implementations/numerics/parallel/cublas.hpp"

#include <cstdlib>
#include <stdexcept>

#include "implementations/numerics/parallel/loaded_library.hpp"

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
  LoadedLibrary library(libraries);
  if (!library.is_there()) {
    why_not_ = "cuBLAS is not installed: there is no " + libraries.front();
    return;
  }
  library.find("cublasCreate_v2", create);
  library.find("cublasSaxpy_v2", single_axpy);
  library.find("cublasDaxpy_v2", double_axpy);
  library.find("cublasIsamax_v2", single_iamax);
  library.find("cublasIdamax_v2", double_iamax);
  library.find("cublasGetStatusString", words_);
  if (!library.has_all()) why_not_ = library.name() + " is not cuBLAS of CUDA 12 or later";
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
