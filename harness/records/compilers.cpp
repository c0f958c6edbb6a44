#include "harness/records/compilers.hpp"

#include <fmt/format.h>

// The build gives these to this file.
#ifndef MACROBENCH_COMPILER
#define MACROBENCH_COMPILER ""
#endif
#ifndef MACROBENCH_FLAGS
#define MACROBENCH_FLAGS ""
#endif
#ifndef MACROBENCH_CUDA_COMPILER
#define MACROBENCH_CUDA_COMPILER ""
#endif
#ifndef MACROBENCH_CUDA_FLAGS
#define MACROBENCH_CUDA_FLAGS ""
#endif

namespace macrobench {

Compiler cpp_compiler() {
  std::string name = MACROBENCH_COMPILER;
#if defined(__clang__)
  if (name.empty()) {
    name = fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
  }
#else
  if (name.empty()) {
    name = fmt::format("GNU {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
  }
#endif
  return {name, MACROBENCH_FLAGS};
}

Compiler cuda_compiler() {
  return {MACROBENCH_CUDA_COMPILER, MACROBENCH_CUDA_FLAGS};
}

}  // namespace macrobench
